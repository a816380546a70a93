/** The comparisons of a `where` filter (gui-protocol.md 4.8): the table and the desk share them. */

/** The comparisons there are. */
export const WHERE_OPS = [
  "eq",
  "ne",
  "lt",
  "lte",
  "gt",
  "gte",
  "contains",
  "starts_with",
  "ends_with",
  "in",
  "exists",
  "not_exists",
] as const;
