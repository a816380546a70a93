/** The file through which clients find the desk (gui-protocol.md 1.2). */

import { joinPath } from "../host/config_dir.ts";

/** What a descriptor says. */
export interface Descriptor {
  readonly sessionId: string;
  readonly pid: number;
  readonly port: number;
  readonly token: string;
  readonly executable: string;
}

/**
 * Writes the descriptor into `<config>/automation`, which is made when it is missing and closed to
 * others each time. Returns the file's path; raises when a file of that name exists.
 */
export async function writeDescriptor(config: string, descriptor: Descriptor): Promise<string> {
  const directory = joinPath(Deno.build.os, config, "automation");
  await Deno.mkdir(directory, { recursive: true, mode: 0o700 });
  // Windows has no such modes; its profile folders are closed to others by themselves.
  if (Deno.build.os !== "windows") await Deno.chmod(directory, 0o700);
  const path = joinPath(Deno.build.os, directory, `${descriptor.sessionId}.json`);
  const json = JSON.stringify({
    protocol: 1,
    session_id: descriptor.sessionId,
    pid: descriptor.pid,
    port: descriptor.port,
    token: descriptor.token,
    executable: descriptor.executable,
  });
  await Deno.writeTextFile(path, json, { createNew: true, mode: 0o600 });
  return path;
}

/** Removes a descriptor; one that is gone already is no matter. */
export async function removeDescriptor(path: string): Promise<void> {
  try {
    await Deno.remove(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** So many random bytes in lower-case hexadecimal. */
export function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
