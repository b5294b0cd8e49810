import prices from '../prices.json' with { type: 'json' };

/** What one of something takes, on average, of everything that AWS charges for. What is left out is 0. */
export interface Consumption {
  /** What it is one of: `single emails`. */
  readonly what: string;
  readonly gatewayCalls?: number;
  readonly functionCalls?: number;
  readonly gigabyteSeconds?: number;
  readonly readUnits?: number;
  readonly writeUnits?: number;
  /** Sending to, receiving from and deleting in queues. */
  readonly queueCalls?: number;
  readonly topicMessages?: number;
  readonly scheduledCalls?: number;
  readonly logBytes?: number;
  /** Recipients that SES charges for: told apart from what is our own. */
  readonly messages?: number;
}

interface Run {
  readonly memoryMegabytes: number;
  /** Of a whole processor. */
  readonly processorMilliseconds: number;
  /** Spent on others, one after another. */
  readonly waitingMilliseconds: number;
}

const { assumed } = prices;

/** What Lambda charges for a run: a function has a share of a processor by its memory (1,769 MB: a whole one). */
export function gigabyteSecondsOf({ memoryMegabytes, processorMilliseconds, waitingMilliseconds }: Run): number {
  const share = Math.min(1, memoryMegabytes / assumed.processorMegabytes);
  return (memoryMegabytes / 1024) * ((processorMilliseconds / share + waitingMilliseconds) / 1000);
}

/** Dollars by kind of charge; `messages` is SES's own fee. */
export function dollarsOf(consumption: Omit<Consumption, 'what'>): Readonly<Record<string, number>> {
  const { gigabyteSeconds = 0, logBytes = 0, ...counted } = consumption;
  const perMillion: Readonly<Record<string, number>> = prices.perMillion;
  const dollars = Object.fromEntries(
    Object.entries(counted).map(([kind, count = 0]) => [kind, (count * (perMillion[kind] ?? Number.NaN)) / 1e6]),
  );
  return {
    ...dollars,
    gigabyteSeconds: gigabyteSeconds * prices.gigabyteSecond,
    logBytes: (logBytes / 1024 ** 3) * prices.logGigabyte,
  };
}
