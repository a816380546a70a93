/** A memory with a fixed number of places: the oldest entry goes first. */

/** A map that keeps the `places` newest entries; setting a key again makes it the newest. */
export class Recent<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #places: number;

  constructor(places: number) {
    this.#places = places;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#places) break;
      this.#entries.delete(oldest);
    }
  }

  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  entries(): readonly (readonly [K, V])[] {
    return [...this.#entries];
  }
}
