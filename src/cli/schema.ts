export function schema(_o: unknown): Promise<number> {
  return Promise.resolve(1);
}
