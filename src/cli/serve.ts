/** PROVISIONAL. */
import type { Order } from "./order.ts";
export async function serve(order: Order, signal: AbortSignal): Promise<number> {
  signal.addEventListener("abort", () => {
    Deno.stdout.writeSync(
      new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", method: "stopped" }) + "\n"),
    );
  });
  const buf = new Uint8Array(65536);
  for (;;) {
    const n = await Deno.stdin.read(buf);
    if (n === null) return 0;
    Deno.stdout.writeSync(
      new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", id: 1, result: order }) + "\n"),
    );
  }
}
