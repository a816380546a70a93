/** What a program could try that ought not to be able to, each attempt with how it went. */

/** Where the attempts aim. */
export interface Attempts {
  /** Inside the automation directory. */
  readonly inside: string;
  /** Outside of it; holds `secret.txt`. */
  readonly outside: string;
  /** A port on which something listens, on every address. */
  readonly port: number;
  readonly lister: string;
  readonly otherProgram: string;
  readonly ownFile: string;
}

/** `done`, `refused` by the sandbox, or how else it failed. */
export type Outcomes = Readonly<Record<string, string>>;

/** Tries them all, one after the other. */
export async function attemptAll(on: Attempts): Promise<Outcomes> {
  const { inside, outside, port } = on;
  const attempts: Record<string, () => unknown> = {
    "read inside": () => Deno.readTextFile(`${inside}/note.txt`),
    "write inside": () => Deno.writeTextFile(`${inside}/written.txt`, "x"),
    "list inside": () => Array.fromAsync(Deno.readDir(inside)),
    "read own file": () => Deno.readTextFile(on.ownFile),
    "connect to 127.0.0.1": () => connect("127.0.0.1"),
    "run the process lister": () => run(on.lister, ["-A", "-o", "pid="]),

    "read outside": () => Deno.readTextFile(`${outside}/secret.txt`),
    "read outside by dots": () => Deno.readTextFile(`${inside}/../outside/secret.txt`),
    "look outside": () => Deno.stat(`${outside}/secret.txt`),
    "list outside": () => Array.fromAsync(Deno.readDir(outside)),
    "list the parent": () => Array.fromAsync(Deno.readDir(`${inside}/..`)),
    "write outside": () => Deno.writeTextFile(`${outside}/planted.txt`, "x"),
    "write own file": () => Deno.writeTextFile(on.ownFile, "x", { append: true }),
    "remove outside": () => Deno.remove(`${outside}/secret.txt`),
    "move outside": () => Deno.rename(`${inside}/note.txt`, `${outside}/moved.txt`),
    "link to outside": () => Deno.symlink(`${outside}/secret.txt`, `${inside}/link`),
    "hard link to outside": () => Deno.link(`${outside}/secret.txt`, `${inside}/hard`),
    "connect to 127.0.0.2": () => connect("127.0.0.2"),
    "connect to ::1": () => connect("::1"),
    "connect to localhost": () => connect("localhost"),
    "connect to another machine": () => connect("192.0.2.1"),
    "fetch by name": () => fetch(`http://localhost:${port}/`),
    "resolve a name": () => Deno.resolveDns("localhost", "A"),
    "listen on every address": () => Deno.listen({ port: 0, hostname: "0.0.0.0" }).close(),
    "run a shell": () => run(on.otherProgram, ["-c", "true"]),
    "run by name": () => run("sh", ["-c", "true"]),
    "read a variable": () => Deno.env.get("HOME"),
    "read the environment": () => Deno.env.toObject(),
    "set a variable": () => Deno.env.set("OCS_PROBE", "1"),
    "ask for the host's name": () => Deno.hostname(),
    "ask for the user": () => Deno.uid(),
    "load a library": () => Deno.dlopen(`${inside}/none.so`, {}),
    "import from the network": () => import(`http://127.0.0.1:${port}/${"module.js"}`),
    "signal a process": () => Deno.kill(Deno.ppid, "SIGCONT"),
    "ask for more": async () => {
      const { state } = await Deno.permissions.request({ name: "read" });
      if (state !== "granted") throw new Deno.errors.NotCapable(state);
    },
    "make a wider worker": () => wider(),
  };
  const outcomes: Record<string, string> = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt();
      outcomes[name] = "done";
    } catch (error) {
      outcomes[name] = refused(error) ? "refused" : `failed: ${error}`;
    }
  }
  return outcomes;

  async function connect(hostname: string): Promise<void> {
    const connection = await Deno.connect({ hostname, port });
    connection.close();
  }

  async function run(program: string, args: string[]): Promise<void> {
    await new Deno.Command(program, { args, clearEnv: true }).output();
  }

  function wider(): void {
    const options: WorkerOptions & { deno: { permissions: { read: true } } } = {
      type: "module",
      deno: { permissions: { read: true } },
    };
    new Worker(new URL("data:text/javascript,self.close()"), options).terminate();
  }
}

function refused(error: unknown): boolean {
  if (error instanceof Deno.errors.NotCapable) return true;
  // Loading a module wraps the refusal in an error of its own.
  return error instanceof Error && /Requires .* access|Can't escalate/.test(error.message);
}
