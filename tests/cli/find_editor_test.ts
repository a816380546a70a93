/** Which program is taken as the editor. */

import { assertEquals } from "@std/assert";
import { type EditorSearch, findEditor, placeLine } from "../../src/cli/find_editor.ts";

const LINUX: EditorSearch = {
  os: "linux",
  env: (name) => ({ PATH: "/one:relative:/two:/one", HOME: "/home/me" })[name],
  cwd: () => "/work",
  lastSeen: () => undefined,
  isFile: () => false,
};

Deno.test("a named editor is the only one that is tried", () => {
  const seen = { ...LINUX, lastSeen: () => "/last/OpenCADStudio" };
  assertEquals(
    findEditor({ ...seen, named: "/opt/mine", isFile: (path) => path === "/opt/mine" }),
    {
      path: "/opt/mine",
      tried: [{ source: "--editor or OCS_EXECUTABLE", path: "/opt/mine" }],
    },
  );
  assertEquals(findEditor({ ...seen, named: "/opt/mine" }), {
    tried: [{ source: "--editor or OCS_EXECUTABLE", path: "/opt/mine" }],
  });
});

Deno.test("a relative name starts at the working directory, a bare one is looked for on PATH", () => {
  assertEquals(findEditor({ ...LINUX, named: "bin/ocs" }).tried[0]?.path, "/work/bin/ocs");
  assertEquals(
    findEditor({ ...LINUX, named: "ocs", isFile: (path) => path === "/two/ocs" }).path,
    "/two/ocs",
  );
});

Deno.test("the newest descriptor's executable comes before PATH, PATH before the usual places", () => {
  const tried = findEditor({ ...LINUX, lastSeen: () => "/last/ocs" }).tried;
  assertEquals(tried.map(({ path }) => path), [
    "/last/ocs",
    "/one/OpenCADStudio",
    "/two/OpenCADStudio",
    "/home/me/.local/bin/OpenCADStudio",
    "/usr/local/bin/OpenCADStudio",
    "/usr/bin/OpenCADStudio",
    "/opt/OpenCADStudio/OpenCADStudio",
  ]);
});

Deno.test("a relative executable in a descriptor is not believed", () => {
  const { tried } = findEditor({ ...LINUX, lastSeen: () => "bin/evil", isFile: () => true });
  assertEquals(tried[0]?.path, "/one/OpenCADStudio");
});

Deno.test("macOS and Windows have places of their own", () => {
  const mac = findEditor({ ...LINUX, os: "darwin", env: (name) => ({ HOME: "/Users/me" })[name] });
  assertEquals(mac.tried.map(({ path }) => path), [
    "/Applications/OpenCADStudio.app/Contents/MacOS/OpenCADStudio",
    "/Users/me/Applications/OpenCADStudio.app/Contents/MacOS/OpenCADStudio",
  ]);
  const windows = findEditor({
    ...LINUX,
    os: "windows",
    env: (name) => ({ PATH: "C:\\bin;bin", LOCALAPPDATA: "C:\\Local" })[name],
  });
  assertEquals(windows.tried.map(({ path }) => path), [
    "C:\\bin\\OpenCADStudio.exe",
    "C:\\Local\\Programs\\OpenCADStudio\\OpenCADStudio.exe",
  ]);
});

Deno.test("what was named and is no program says why, and nothing else is asked", () => {
  const search = { ...LINUX, isFile: () => false, faultOf: () => "it may not be executed" };
  const { path, tried } = findEditor({ ...search, named: "/opt/mine" });
  assertEquals(path, undefined);
  assertEquals(tried.map(placeLine), [
    "/opt/mine (--editor or OCS_EXECUTABLE; it may not be executed)",
  ]);
  assertEquals(findEditor(search).tried.filter(({ fault }) => fault !== undefined), []);
});
