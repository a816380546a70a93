/** The narrow set of rights, and giving up the rest: the rules, without a runtime behind them. */

import { assertEquals } from "@std/assert";
import {
  giveUp,
  grantsFor,
  heldGrants,
  PERMISSION_NAMES,
  type Permissions,
  stillGranted,
} from "../../src/host/sandbox.ts";

const REACH = {
  automationDir: "/c/automation",
  own: ["/bin/bridge"],
  workspaces: ["/w"],
  programs: ["/opt/editor", "/usr/bin/ps"],
};

/** Permissions that keep a book; `stuck` names cannot be revoked. */
function permissions(granted: readonly string[], stuck: readonly string[] = []) {
  const held = new Set(granted);
  const state = (name: string): Deno.PermissionState => held.has(name) ? "granted" : "denied";
  const status = (name: string) =>
    Object.assign(new EventTarget(), { state: state(name), onchange: null, partial: false });
  const book: Permissions = {
    querySync: ({ name }) => status(name),
    revokeSync({ name }) {
      if (!stuck.includes(name)) held.delete(name);
      return status(name);
    },
  };
  return book;
}

Deno.test("the worker gets the automation directory, its own files, one address and two programs", () => {
  assertEquals(grantsFor(REACH), {
    read: ["/c/automation", "/bin/bridge", "/w"],
    write: ["/c/automation"],
    net: ["127.0.0.1"],
    run: ["/opt/editor", "/usr/bin/ps"],
    env: false,
    sys: false,
    ffi: false,
    import: false,
  });
});

Deno.test("what is not there is not granted: an empty list would mean everything", () => {
  const grants = grantsFor({ own: [], workspaces: [], programs: [] });
  assertEquals([grants.read, grants.write, grants.run], [false, false, false]);
});

Deno.test("giving up leaves nothing", () => {
  const book = permissions(PERMISSION_NAMES);
  giveUp(PERMISSION_NAMES, book);
  assertEquals(stillGranted(book), []);
});

Deno.test("a right that stays is named", () => {
  const book = permissions(PERMISSION_NAMES, ["run", "net"]);
  giveUp(PERMISSION_NAMES, book);
  assertEquals(stillGranted(book), ["net", "run"]);
});

Deno.test("single rights can be given up before the others", () => {
  const book = permissions(PERMISSION_NAMES);
  giveUp(["write", "run"], book);
  assertEquals(stillGranted(book), ["read", "net", "env", "sys", "ffi", "import"]);
});

Deno.test("the rights held are asked for one by one", () => {
  const held = heldGrants(REACH, permissions(["read"]));
  const granted = held.filter((one) => one.state === "granted");
  assertEquals(granted.map((one) => one.scope), [
    undefined,
    "/c/automation",
    "/bin/bridge",
    "/w",
  ]);
  assertEquals(held.filter((one) => one.permission === "run").length, 3);
});
