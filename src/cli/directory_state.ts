/** How a directory that the person named, or the system, stands. */

/** In words; an automation directory that others can look into is worth a remark. */
export function directoryState(directory: string, automation = false): string {
  try {
    const { isDirectory, mode } = Deno.statSync(directory);
    if (!isDirectory) return "(is not a directory)";
    if (!automation) return "(is there)";
    return mode !== null && (mode & 0o077) !== 0
      ? "(open to others; 0700 is expected)"
      : "(is there)";
  } catch (error) {
    return error instanceof Deno.errors.NotFound ? "(is not there yet)" : "(cannot be looked at)";
  }
}
