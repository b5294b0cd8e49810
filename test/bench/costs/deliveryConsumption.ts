import prices from '../prices.json' with { type: 'json' };
import type { ProcessorTime } from '../processorTime.ts';
import { type Consumption, gigabyteSecondsOf } from './consumption.ts';
import type { Stored } from './storage.ts';

export interface Units {
  readonly write: number;
  readonly read: number;
}

export interface Speed {
  /** What was used meanwhile; null where it is not measured. */
  readonly processor: ProcessorTime | null;
  readonly events: number;
  readonly seconds: number;
  readonly missing: number;
}

/** What a delivery takes that succeeds at once, each in a run of its own, without the email that it is about. */
export function deliveryConsumption(units: Units, { events, processor }: Speed, stored: Stored): Consumption[] {
  const seconds = processor?.['handlers, workers, gateway'];
  if (seconds === undefined) return [];
  const { tableCallMilliseconds, receiverMilliseconds } = prices.assumed;
  return [
    {
      what: 'webhook deliveries',
      functionCalls: 1,
      gigabyteSeconds: gigabyteSecondsOf({
        memoryMegabytes: 512,
        processorMilliseconds: (seconds * 1000) / events,
        // Read, claimed, noted.
        waitingMilliseconds: receiverMilliseconds + 3 * tableCallMilliseconds,
      }),
      readUnits: units.read,
      writeUnits: units.write,
      // Sent, received, deleted.
      queueCalls: 3,
      tableByteMonths: stored.tableByteMonths,
      indexByteMonths: stored.indexByteMonths,
    },
  ];
}
