/** `ocs-bridge doctor`: what is where, what was skipped and why, which rights are really held. */

import { type HeldGrant, heldGrants } from "../host/sandbox.ts";
import type { Discovery } from "../editor/types.ts";
import type { Bridge } from "./bridge.ts";
import { placeLine } from "./find_editor.ts";
import type { Order } from "./order.ts";
import { directoryState } from "./directory_state.ts";
import { writeOut } from "./output.ts";
import { sessionLine, skippedLine } from "./sessions.ts";

/** Looks at everything, starts nothing; the rights are asked of the runtime, not read off a list. */
export async function doctor(bridge: Bridge, order: Order, signal: AbortSignal): Promise<number> {
  const { places } = order;
  const discovery = await bridge.editor.discover(signal);
  const grants = heldGrants(places.reach);
  if (order.options.json) {
    const { configDir, editor, lister, workspaces } = places;
    writeOut(
      `${
        JSON.stringify({
          bridge: bridge.identity,
          config_dir: configDir ?? null,
          automation_dir: discovery.directory,
          automation_dir_state: directoryState(discovery.directory, true),
          sessions: discovery.live,
          skipped: discovery.skipped,
          editor: editor.path ?? null,
          editor_tried: editor.tried,
          process_lister: lister ?? null,
          workspaces,
          grants,
        })
      }\n`,
    );
    return 0;
  }
  const { name, version, build_rev, build_profile } = bridge.identity;
  writeOut(
    [
      `${name} ${version} (${build_rev}, ${build_profile})`,
      ...section("Sessions", sessionLines(discovery, order)),
      ...section("Editor to start", editorLines(order)),
      ...section("Process lister", [places.lister ?? "none found: every process counts as alive"]),
      ...section(
        "Drawings may be opened and saved in",
        places.workspaces.length > 0
          ? places.workspaces.map((path) => `${path} ${directoryState(path)}`)
          : ["any place (no --workspace)"],
      ),
      ...section("Rights held while serving", grantLines(grants)),
      "",
    ].join("\n"),
  );
  return 0;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return ["", `${title}:`, ...lines.map((line) => `  ${line}`)];
}

function sessionLines(
  { directory, live, skipped }: Discovery,
  { places }: Order,
): readonly string[] {
  // Then there was nothing to look into, and nothing else to say.
  if (places.automationDir === undefined) return [directory];
  return [
    `${directory} ${directoryState(directory, true)}`,
    ...(live.length > 0 ? live.map(sessionLine) : ["no live session"]),
    ...skipped.map(skippedLine),
  ];
}

function editorLines({ places: { editor } }: Order): readonly string[] {
  if (editor.path !== undefined) {
    const from = editor.tried.find((place) => place.path === editor.path)?.source;
    return [`${editor.path} (${from})`];
  }
  return ["none found; tried", ...editor.tried.map(placeLine)];
}

function grantLines(grants: readonly HeldGrant[]): readonly string[] {
  const held = grants.filter((grant) => grant.state === "granted");
  const whole = grants.filter((grant) => grant.scope === undefined && grant.state !== "granted");
  return [
    ...held.map(({ permission, scope }) => `${permission} ${scope ?? "everything"}`),
    `nothing else (asked for as a whole and refused: ${
      whole.map(({ permission }) => permission).join(", ")
    })`,
  ];
}
