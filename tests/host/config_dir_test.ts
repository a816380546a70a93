/** The configuration directory of each system, as gui-protocol.md 1.1 lists them. */

import { assertEquals } from "@std/assert";
import { configDir, isAbsolute, joinPath, type Os, parentOf } from "../../src/host/config_dir.ts";

function dir(os: Os, env: Readonly<Record<string, string>>, named?: string) {
  const settled = configDir(os, (name) => env[name], named);
  return settled.found ? settled.path : settled;
}

Deno.test("Linux takes XDG_CONFIG_HOME, even an empty one, else HOME", () => {
  assertEquals(dir("linux", { XDG_CONFIG_HOME: "/x", HOME: "/h" }), "/x/OpenCADStudio");
  assertEquals(dir("linux", { XDG_CONFIG_HOME: "", HOME: "/h" }), "/OpenCADStudio");
  assertEquals(dir("linux", { HOME: "/h" }), "/h/.config/OpenCADStudio");
  assertEquals(dir("freebsd", { HOME: "/h" }), "/h/.config/OpenCADStudio");
});

Deno.test("macOS takes HOME and does not know XDG_CONFIG_HOME", () => {
  assertEquals(
    dir("darwin", { XDG_CONFIG_HOME: "/x", HOME: "/h" }),
    "/h/Library/Application Support/OpenCADStudio",
  );
});

Deno.test("Windows takes APPDATA and nothing else", () => {
  assertEquals(dir("windows", { APPDATA: "C:\\R", HOME: "/h" }), "C:\\R\\OpenCADStudio");
  assertEquals(dir("windows", { HOME: "/h" }), { found: false, missing: "APPDATA" });
});

Deno.test("a missing base variable is named", () => {
  assertEquals(dir("linux", {}), { found: false, missing: "HOME" });
  assertEquals(dir("darwin", { HOME: "" }), { found: false, missing: "HOME" });
});

Deno.test("what the person named comes first", () => {
  assertEquals(dir("linux", { XDG_CONFIG_HOME: "/x" }, "/named"), "/named");
  assertEquals(dir("linux", { HOME: "/h" }, ""), "/h/.config/OpenCADStudio");
});

Deno.test("paths are joined and cut the way each system spells them", () => {
  assertEquals(joinPath("linux", "/a/", "b", "c"), "/a/b/c");
  assertEquals(joinPath("windows", "C:\\a", "b"), "C:\\a\\b");
  assertEquals(parentOf("linux", "/a/b"), "/a");
  assertEquals(parentOf("linux", "/a"), "/");
  assertEquals(parentOf("linux", "/"), "/");
  assertEquals(parentOf("windows", "C:\\a"), "C:\\");
  assertEquals(parentOf("windows", "C:\\a\\b"), "C:\\a");
  assertEquals(isAbsolute("linux", "a/b"), false);
  assertEquals(isAbsolute("windows", "C:/a"), true);
  assertEquals(isAbsolute("windows", "\\\\server\\share"), true);
  assertEquals(isAbsolute("windows", "/a"), false);
});
