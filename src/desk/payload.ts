/** A request in one spelling, so that repeated requests can be told from reused ids. */

/**
 * The JSON text of a request without its token, keys sorted. Numbers keep how they were written as far
 * as `1` and `1.0` differ (gui-protocol.md 2.4), which a parsed value no longer shows.
 */
export function payloadOf(line: string): string {
  const value: unknown = JSON.parse(line, distinct);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return JSON.stringify(
    Object.fromEntries(Object.entries(value).filter(([key]) => key !== "token")),
  );
}

/** Marks what is not plain text: numbers written as reals, and text that starts with the mark itself. */
const MARK = "\0";

function distinct(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value === "number") {
    return /[.eE]/.test(context?.source ?? "") ? `${MARK}${value}` : value;
  }
  if (typeof value === "string") return value.startsWith(MARK) ? `${MARK}${value}` : value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1));
}
