/** The arguments of scripts: what one does not know is refused before anything runs. */

/** Ends the script with 2 unless it knows every argument; `takes` says in words which those are. */
export function refuseUnknown(
  script: string,
  takes: string,
  knows: (argument: string) => boolean = () => false,
): void {
  const unknown = Deno.args.find((argument) => !knows(argument));
  if (unknown !== undefined) refuse(script, takes, unknown);
}

/** Ends the script with 2 and says on stderr what it takes instead of `argument`. */
export function refuse(script: string, takes: string, argument: string): never {
  // deno-lint-ignore no-console
  console.error(`${script} takes ${takes}, not ${JSON.stringify(argument)}.`);
  Deno.exit(2);
}
