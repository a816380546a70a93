/** The digest of the tool definitions, pinned and computed (bridge.md 1). */

import type { BuildProfile } from "../host/build.ts";
import type { Json } from "../host/json.ts";

/**
 * SHA-256 (hex) of the canonical JSON of the definitions as they are listed without any option:
 * full style, everything allowed. `--schema flat`, `--read-only` and the op lists change what a
 * client sees, not which build it talks to, and so not this. When a definition changes, the test
 * `tool_schema_digest_is_pinned` fails and prints the value to put here.
 */
export const TOOL_SCHEMA_DIGEST =
  "f4dd223ffa6272df0e0b288dfd3d0ffa49e31717e5e9b659f6201ab5897a6e89";

/** Computes what `TOOL_SCHEMA_DIGEST` should be. */
export async function toolSchemaDigest(): Promise<string> {
  // Loaded only here: a release answers the pinned value without any of it.
  const [{ canonicalJson }, { sha256 }, { buildTools, DEFAULT_LIST, listed }] = await Promise.all([
    import("../ops/canonical.ts"),
    import("./shot.ts"),
    import("./tool_list.ts"),
  ]);
  const definitions = listed(buildTools(DEFAULT_LIST), DEFAULT_LIST.readOnly);
  const json: Json = definitions.map((tool) => ({ ...tool, annotations: { ...tool.annotations } }));
  return await sha256(new TextEncoder().encode(canonicalJson(json)));
}

/** What the identity says: the pinned value in a release, the computed one in `dev`. */
export function toolSchemaOf(profile: BuildProfile): Promise<string> {
  return profile === "release" ? Promise.resolve(TOOL_SCHEMA_DIGEST) : toolSchemaDigest();
}
