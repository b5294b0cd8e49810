import { createHash } from 'node:crypto';

interface Ranked<Entry> {
  readonly rank: number;
  readonly name: string;
  readonly entry: Entry;
}

/**
 * A random part of a stream that is the same each time: the entries whose names have the smallest hashes. It holds twice
 * its limit at most, however long the stream is.
 */
export class Sample<Entry> {
  readonly #limit: number;
  #kept: Ranked<Entry>[] = [];
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(name: string, entry: Entry): void {
    this.#total += 1;
    this.#keep([{ rank: rankOf(name), name, entry }]);
  }

  /** Adds what another stream had. */
  join(other: Sample<Entry>): void {
    this.#total += other.#total;
    this.#keep(other.#kept);
  }

  #keep(entries: readonly Ranked<Entry>[]): void {
    for (const entry of entries) this.#kept.push(entry);
    if (this.#kept.length > 2 * this.#limit) this.#kept = this.#smallest();
  }

  #smallest(): Ranked<Entry>[] {
    const sorted = this.#kept.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
    return sorted.slice(0, this.#limit);
  }

  /** How many entries there were. */
  get total(): number {
    return this.#total;
  }

  /** In the order of their hashes: the first of them are a sample too. */
  entries(): readonly Entry[] {
    return this.#smallest().map(({ entry }) => entry);
  }
}

/** Other bytes than those that spread people over shards. */
const rankOf = (name: string): number => createHash('sha256').update(name).digest().readUIntBE(8, 6);
