/** The scripted person who answers the desk's picks. */

import { isJsonObject, type JsonObject } from "../host/json.ts";
import type { Point3 } from "./entity.ts";
import { handles, list, point, unsigned } from "./parameters.ts";
import { Refusal } from "./refusal.ts";

/** What the person does at last. */
export type PersonAnswer =
  /** A click at a place; for `user_select` it takes the entities there, then Enter. */
  | { readonly kind: "point"; readonly point: Point3 }
  /** These entities, then Enter; none at all is Enter alone. */
  | { readonly kind: "handles"; readonly handles: readonly string[] }
  /** Everything that is shown, then Enter. */
  | { readonly kind: "all" }
  | { readonly kind: "escape" };

/** One thing the person will do. */
export interface Person {
  /** Which pick it answers. */
  readonly pick: "user_select" | "getpoint" | "any";
  /** How long the person takes, in milliseconds. */
  readonly afterMs: number;
  readonly answer: PersonAnswer;
}

/** The format of a person file, for `--help` and for errors. */
export const PERSON_FORMAT = `A person file is a JSON array; each item answers one pick:
  {"pick": "user_select" | "getpoint" | "any",   which pick it answers
   "after_ms": 800,                              how long the person takes (0 when left out)
   "answer": {"point": [x, y]} | {"handles": ["2A"]} | {"all": true} | "escape"}
Handles and all answer user_select only, so their item has to name it as its pick.
A pick takes the first item left that fits it; without one it stays open. {"handles": []} is Enter
with nothing picked; a point answers user_select with the entities at that place.`;

/** The script in the text of a person file; raises an Error that says which item is wrong. */
export function parsePerson(source: string): readonly Person[] {
  let json: unknown;
  try {
    json = JSON.parse(source);
  } catch {
    throw new Error(`The person file is not JSON.\n${PERSON_FORMAT}`);
  }
  if (!Array.isArray(json)) {
    throw new Error(`The person file is not a JSON array.\n${PERSON_FORMAT}`);
  }
  return json.map((item: unknown, index) => {
    const person = personOf(item);
    if (person === undefined) {
      throw new Error(`Item ${index + 1} of the person file is not understood.\n${PERSON_FORMAT}`);
    }
    return person;
  });
}

/** The first item that answers a pick, and the script without it. */
export function nextPerson(
  script: readonly Person[],
  pick: "user_select" | "getpoint",
): { person: Person | null; rest: readonly Person[] } {
  const index = script.findIndex((item) => item.pick === pick || item.pick === "any");
  const person = script[index];
  return person === undefined
    ? { person: null, rest: script }
    : { person, rest: script.toSpliced(index, 1) };
}

function personOf(item: unknown): Person | undefined {
  // A misspelt key must not pass for one that was left out.
  if (!isJsonObject(item) || !onlyHas(item, ["pick", "after_ms", "answer"])) return undefined;
  const pick = (["user_select", "getpoint", "any"] as const).find((name) => name === item.pick);
  const afterMs = unsigned(item.after_ms ?? 0);
  const answer = answerOf(item.answer);
  if (pick === undefined || afterMs === undefined || answer === undefined) return undefined;
  const takesHandles = answer.kind === "handles" || answer.kind === "all";
  return pick !== "user_select" && takesHandles ? undefined : { pick, afterMs, answer };
}

function onlyHas(item: JsonObject, keys: readonly string[]): boolean {
  return Object.keys(item).every((key) => keys.includes(key));
}

function answerOf(answer: unknown): PersonAnswer | undefined {
  if (answer === "escape") return { kind: "escape" };
  if (!isJsonObject(answer) || Object.keys(answer).length !== 1) return undefined;
  if (answer.all === true) return { kind: "all" };
  const place = point(answer.point);
  if (place !== undefined) return { kind: "point", point: place };
  const items = list(answer.handles);
  if (items === undefined) return undefined;
  try {
    return { kind: "handles", handles: handles(items) };
  } catch (error) {
    // A handle that is not hexadecimal makes the item wrong, as any other mistake does.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
