/** Session descriptors: what an editor leaves in the automation directory (gui-protocol.md 1.2). */

import { isJsonObject } from "../host/json.ts";
import {
  type AutomationFiles,
  type FileFacts,
  fileTrouble,
  inDirectory,
  isPhrase,
} from "./automation_files.ts";
import type { SkippedDescriptor } from "./types.ts";

/** Largest descriptor, in bytes (bridge.md 3.1). */
export const DESCRIPTOR_CAP = 8_192;

/** A descriptor that may be trusted as far as its file goes; whether its editor lives is not known. */
export interface Descriptor {
  /** File name within the automation directory. */
  readonly file: string;
  readonly sessionId: string;
  readonly port: number;
  readonly token: string;
  readonly pid?: number;
  readonly executable?: string;
  /** Milliseconds since the Unix epoch; null where the file system does not say. */
  readonly modifiedMs: number | null;
}

/** What the directory holds. */
export interface DescriptorListing {
  readonly descriptors: readonly Descriptor[];
  readonly skipped: readonly SkippedDescriptor[];
  /** False when the directory is there but could not be read: then nothing is known to be gone. */
  readonly complete: boolean;
}

/** Reads the descriptors in sorted order; what is refused has a reason. Never rejects (3.4). */
export async function readDescriptors(
  directory: string,
  files: AutomationFiles,
): Promise<DescriptorListing> {
  // Then there is nothing to look into; the phrase itself says what is missing.
  if (isPhrase(directory)) return { descriptors: [], skipped: [], complete: false };
  let names: readonly string[];
  let place: Place;
  try {
    names = (await files.names(directory)).filter((name) => name.endsWith(".json")).sort();
    place = await lookAt(directory, files);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      return { descriptors: [], skipped: [], complete: true };
    }
    const reason = `Cannot read the directory: ${fileTrouble(error)}`;
    return { descriptors: [], skipped: [{ file: directory, reason }], complete: false };
  }
  const read = await Promise.all(names.map((name) => readOne(place, name, files)));
  return {
    descriptors: read.filter((one) => "sessionId" in one),
    skipped: read.filter((one) => "reason" in one),
    complete: true,
  };
}

interface Place {
  readonly directory: string;
  /** The directory with links resolved; undefined where that could not be established. */
  readonly real: string | undefined;
  readonly owner: number | null;
}

async function lookAt(directory: string, files: AutomationFiles): Promise<Place> {
  let real: string | undefined;
  try {
    real = await files.realPath(directory);
  } catch {
    // Where the directory itself cannot be resolved, its spelling is what files are compared with.
    real = undefined;
  }
  // The facts of the resolved directory: the automation directory itself may be a link.
  const facts = await files.facts(real ?? directory).catch(() => files.facts(directory));
  return { directory, real, owner: facts.uid };
}

async function readOne(
  place: Place,
  file: string,
  files: AutomationFiles,
): Promise<Descriptor | SkippedDescriptor> {
  const path = inDirectory(place.directory, file);
  try {
    const facts = await files.facts(path);
    const refusal = refuseFile(facts, place.owner);
    if (refusal !== undefined) return { file, reason: refusal };
    const expected = inDirectory(place.real ?? place.directory, file);
    if (await files.realPath(path) !== expected) {
      return { file, reason: "Leads out of the automation directory" };
    }
    const bytes = await files.read(path, DESCRIPTOR_CAP + 1);
    if (bytes.length > DESCRIPTOR_CAP) return { file, reason: tooLarge(bytes.length) };
    const parsed = parseDescriptor(new TextDecoder().decode(bytes));
    if (typeof parsed === "string") return { file, reason: parsed };
    return { file, modifiedMs: facts.modifiedMs, ...parsed };
  } catch (error) {
    return { file, reason: `Cannot be read: ${fileTrouble(error)}` };
  }
}

/** Why a file is not to be trusted whatever it says, or undefined (bridge.md 3.1). */
export function refuseFile(facts: FileFacts, directoryOwner: number | null): string | undefined {
  if (facts.isSymlink) return "Is a symbolic link; only plain files are trusted";
  if (!facts.isFile) return "Is not a plain file";
  if (facts.uid !== null && directoryOwner !== null && facts.uid !== directoryOwner) {
    return `Is owned by user ${facts.uid}, the directory by user ${directoryOwner}`;
  }
  if (facts.mode !== null && (facts.mode & 0o077) !== 0) {
    const bits = (facts.mode & 0o777).toString(8).padStart(4, "0");
    return `Has mode ${bits}; group and others must have no permission (0600)`;
  }
  if (facts.size > DESCRIPTOR_CAP) return tooLarge(facts.size);
  return undefined;
}

/** The content of a descriptor, or the reason why it is refused. Unknown fields are ignored. */
export function parseDescriptor(
  text: string,
): Omit<Descriptor, "file" | "modifiedMs"> | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The reason is all that is wanted of a file that is not ours.
    return "Is not JSON";
  }
  if (!isJsonObject(value)) return "Is not a JSON object";
  const { session_id: sessionId, port, token, pid, executable } = value;
  if (typeof sessionId !== "string" || sessionId === "") return "Has no session_id";
  // Half a surrogate pair cannot stand in an address: it would break the list for all sessions.
  if (!sessionId.isWellFormed()) return "Has a session_id that is not well-formed Unicode";
  if (typeof port !== "number") return "Has no port";
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    return `Has port ${port}, outside 1..65535`;
  }
  if (typeof token !== "string" || token === "") return "Has no token";
  return {
    sessionId,
    port,
    token,
    ...(typeof pid === "number" && Number.isInteger(pid) && pid > 0 ? { pid } : {}),
    ...(typeof executable === "string" && executable !== "" ? { executable } : {}),
  };
}

function tooLarge(bytes: number): string {
  return `Has ${bytes} bytes, more than ${DESCRIPTOR_CAP}`;
}
