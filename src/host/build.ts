/** Which build this is: name, version, revision and profile (bridge.md section 1). */

import config from "../../deno.json" with { type: "json" };

/** How the program runs: a compiled executable, or its source. */
export type BuildProfile = "release" | "dev";

/** What the bridge says of itself; rides as `bridge` on sessions and in the handshake. */
export interface BridgeIdentity {
  readonly name: string;
  readonly version: string;
  /** The short git revision, with `-dirty` when the tree was not clean; `unknown` without git. */
  readonly build_rev: string;
  readonly build_profile: BuildProfile;
  /** SHA-256 (hex) of the canonical JSON of the tool definitions. */
  readonly tool_schema: string;
}

/** The program's name. */
export const NAME = "ocs-bridge";

/** The version, from deno.json. */
export const VERSION: string = config.version;

/** The bundling script puts the revision here; from source it stays as it is. */
const STAMP = "@@build-rev@@";

/** The revision that was stamped when the bundle was made; nothing when run from source. */
export function stampedRevision(stamp: string = STAMP): string | undefined {
  return stamp.startsWith("@@") ? undefined : stamp;
}

/** `release` in a compiled executable and in a stamped bundle, else `dev`. */
export function buildProfile(): BuildProfile {
  return Deno.build.standalone || stampedRevision() !== undefined ? "release" : "dev";
}

/** Runs git and gives what it printed; rejects when it cannot be run or fails. */
export type Git = (args: readonly string[]) => Promise<string>;

/**
 * The revision of the tree that `root` lies in: `git rev-parse --short HEAD`, `-dirty` when
 * `git status --porcelain` names anything. `unknown` where git or the repository is missing.
 */
export async function gitRevision(root: string, git: Git = systemGit(root)): Promise<string> {
  try {
    const [head, status] = await Promise.all([
      git(["rev-parse", "--short", "HEAD"]),
      git(["status", "--porcelain"]),
    ]);
    const rev = head.trim();
    if (rev === "") return "unknown";
    return status.trim() === "" ? rev : `${rev}-dirty`;
  } catch {
    // No git, no repository, or a safety rule of git's: the revision is unknown, which is no error.
    return "unknown";
  }
}

function systemGit(root: string): Git {
  return async (args) => {
    const { success, stdout } = await new Deno.Command("git", {
      args: ["-C", root, ...args],
      stdin: "null",
      stderr: "null",
    }).output();
    if (!success) throw new Error(`git ${args[0]} failed`);
    return new TextDecoder().decode(stdout);
  };
}
