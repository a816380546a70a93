/** PROVISIONAL. */
import type { Order } from "./order.ts";
export async function oneShot(order: Order, _signal: AbortSignal): Promise<number> {
  await Promise.resolve();
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(order.places) + "\n"));
  return 0;
}
