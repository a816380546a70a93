/** The two stages of rights: what the worker is given, and giving up all else (bridge.md 12). */

/** Every permission that Deno knows by name. */
export const PERMISSION_NAMES = [
  "read",
  "write",
  "net",
  "run",
  "env",
  "sys",
  "ffi",
  "import",
] as const;

/** One of those names. */
export type PermissionName = typeof PERMISSION_NAMES[number];

/** The paths and programs that the job needs; absolute, in the one spelling used everywhere. */
export interface Reach {
  /** The automation directory; read and written. It need not exist yet. */
  readonly automationDir?: string;
  /** Read only: the own executable, or the own source files when run from source. */
  readonly own: readonly string[];
  /** Read only: the places that `--workspace` confines path arguments to. */
  readonly workspaces: readonly string[];
  /** Programs that may be started: the editor and the process lister. */
  readonly programs: readonly string[];
}

/** The worker's set, in the shape that `new Worker(..., { deno: { permissions } })` takes. */
export interface Grants {
  readonly read: string[] | false;
  readonly write: string[] | false;
  readonly net: string[];
  readonly run: string[] | false;
  readonly env: false;
  readonly sys: false;
  readonly ffi: false;
  readonly import: false;
}

/** The narrow set. An empty list means everything to Deno, hence `false` where nothing is needed. */
export function grantsFor(reach: Reach): Grants {
  const dir = reach.automationDir === undefined ? [] : [reach.automationDir];
  return {
    read: listOrNone([...dir, ...reach.own, ...reach.workspaces]),
    write: listOrNone(dir),
    net: ["127.0.0.1"],
    run: listOrNone(reach.programs),
    env: false,
    sys: false,
    ffi: false,
    import: false,
  };
}

/** The calls of `Deno.permissions` that giving up needs. */
export interface Permissions {
  revokeSync(descriptor: Deno.PermissionDescriptor): Deno.PermissionStatus;
  querySync(descriptor: Deno.PermissionDescriptor): Deno.PermissionStatus;
}

/** The rights that the loading of a worker's modules does not need of the thread that made it. */
export const NOT_FOR_LOADING = ["write", "net", "run", "env", "sys", "ffi"] as const;

/** Revokes permissions of this thread for good: all of them, or the named ones. */
export function giveUp(
  names: readonly PermissionName[] = PERMISSION_NAMES,
  permissions: Permissions = Deno.permissions,
): void {
  for (const name of names) permissions.revokeSync({ name });
}

/** Parts that an executable is compiled with; asking for the whole right does not show them. */
const BAKED_PARTS: readonly Deno.PermissionDescriptor[] = [
  { name: "net", host: "127.0.0.1" },
  { name: "env", variable: "PATH" },
];

/** The names of which anything is still granted: none after `giveUp`, if the runtime keeps its word. */
export function stillGranted(
  permissions: Permissions = Deno.permissions,
): readonly PermissionName[] {
  const asked = [...PERMISSION_NAMES.map((name) => ({ name })), ...BAKED_PARTS];
  const granted = asked.filter((one) => permissions.querySync(one).state === "granted");
  return [...new Set(granted.map(({ name }) => name))];
}

/** One right as the runtime itself states it. */
export interface HeldGrant {
  readonly permission: PermissionName;
  /** What it is limited to; absent when the whole right was asked about. */
  readonly scope?: string;
  readonly state: Deno.PermissionState;
}

/** Asks the runtime what this thread holds: each whole right, then each part in `reach`. */
export function heldGrants(
  reach: Reach,
  permissions: Permissions = Deno.permissions,
): readonly HeldGrant[] {
  const held: HeldGrant[] = PERMISSION_NAMES.map((name) => (
    { permission: name, state: permissions.querySync({ name }).state }
  ));
  const ask = (permission: PermissionName, scope: string, descriptor: Deno.PermissionDescriptor) =>
    held.push({ permission, scope, state: permissions.querySync(descriptor).state });
  for (const path of grantsFor(reach).read || []) ask("read", path, { name: "read", path });
  for (const path of grantsFor(reach).write || []) ask("write", path, { name: "write", path });
  ask("net", "127.0.0.1", { name: "net", host: "127.0.0.1" });
  for (const command of reach.programs) ask("run", command, { name: "run", command });
  return held;
}

function listOrNone(paths: readonly string[]): string[] | false {
  const unique = [...new Set(paths)];
  return unique.length === 0 ? false : unique;
}
