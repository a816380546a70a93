/** Runs other programs for the scripts, with the environment that both Deno versions need. */

import { fileURLToPath } from "node:url";

/** The repository. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url)).replace(/[\\/]$/, "");

/** How a child is run. */
export interface ChildOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Collect what it prints instead of passing it through. */
  readonly quiet?: boolean;
  /** Another program than the Deno that runs this script. */
  readonly command?: string;
}

/** What a child did; `output` is stdout and stderr one after the other when it ran quietly. */
export interface ChildOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly output: string;
}

/** Runs `deno` with these arguments, or another `command`, to its end. */
export async function runChild(
  args: readonly string[],
  options: ChildOptions = {},
): Promise<ChildOutcome> {
  const stdio = options.quiet ? "piped" : "inherit";
  const child = new Deno.Command(options.command ?? Deno.execPath(), {
    args: [...args],
    cwd: options.cwd ?? ROOT,
    env: { ...childEnvironment(), ...options.env },
    stdin: "null",
    stdout: stdio,
    stderr: stdio,
  });
  if (!options.quiet) return { code: (await child.spawn().status).code, stdout: "", output: "" };
  const { code, stdout, stderr } = await child.output();
  const text = new TextDecoder();
  const out = text.decode(stdout);
  return { code, stdout: out, output: out + text.decode(stderr) };
}

/**
 * Added to what a child inherits: Deno 2.6 looks at the system's certificates only when told to,
 * and networks with an authority of their own need them.
 */
export function childEnvironment(): Readonly<Record<string, string>> {
  const stores = Deno.env.get("DENO_TLS_CA_STORE") ?? "mozilla,system";
  return { DENO_TLS_CA_STORE: stores, DENO_NO_UPDATE_CHECK: "1" };
}
