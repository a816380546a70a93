/** The log: lines on stderr, since stdout belongs to the protocol. */

/** How much is logged, from the least to the most. */
export const LOG_LEVELS = ["error", "warn", "info", "debug"] as const;

/** One of the log levels. */
export type LogLevel = typeof LOG_LEVELS[number];

/** Where the layers write what a person may want to know. Never a token. */
export interface Log {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

/** A log that writes the lines up to `level`; each is `ocs-bridge: <level>: <message>`. */
export function createLog(level: LogLevel, write: (line: string) => void = writeStderr): Log {
  const most = LOG_LEVELS.indexOf(level);
  const at = (own: LogLevel) => (message: string) => {
    if (LOG_LEVELS.indexOf(own) <= most) write(`ocs-bridge: ${own}: ${message}\n`);
  };
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}

/** A log that keeps nothing. */
export const silentLog: Log = { error() {}, warn() {}, info() {}, debug() {} };

function writeStderr(line: string): void {
  let rest = new TextEncoder().encode(line);
  try {
    while (rest.length > 0) rest = rest.subarray(Deno.stderr.writeSync(rest));
  } catch {
    // A client that closed our stderr does not want the log; serving goes on.
  }
}
