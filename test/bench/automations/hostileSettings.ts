/** What the network of a service does, in its environment `HOSTILE_NETWORK` as JSON; shares are of its calls of AWS. */
export interface HostileSettings {
  readonly seed?: number;
  readonly neverSent?: number;
  readonly answerLost?: number;
  readonly queuedTwice?: number;
}

/** A message to the process: at which of its next calls it is killed. */
export interface KillOrder {
  readonly callsLeft: number;
}

/** Numbers from 0 to 1, the same for a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
