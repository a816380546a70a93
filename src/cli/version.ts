/** `ocs-bridge version`: the version and the build. */

import { buildProfile, gitRevision, NAME, stampedRevision, VERSION } from "../host/build.ts";
import { identityOf } from "./identity.ts";
import type { Options } from "./options.ts";
import { writeOut } from "./output.ts";

/** Prints `ocs-bridge 0.1.0 (1a2b3c4, release)`, or the whole identity as JSON. */
export async function version(options: Options): Promise<number> {
  const stamped = stampedRevision();
  const profile = buildProfile();
  const rev = stamped ?? await gitRevision((await import("./own_source.ts")).SOURCE_ROOT);
  const identity = await identityOf({ rev, profile });
  writeOut(
    options.json ? `${JSON.stringify(identity)}\n` : `${NAME} ${VERSION} (${rev}, ${profile})\n`,
  );
  return 0;
}
