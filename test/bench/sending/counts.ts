import type { MeteredCall } from '../counting.ts';
import { load } from '../load.ts';
import type { BenchService } from '../service.ts';
import type { Sender } from './sender.ts';

/** The calls of one send until its answer, SES's included. */
export interface UntilAnswer {
  readonly calls: number;
  /** The longest chain of calls of which each began after the one before had ended. */
  readonly inTurn: readonly string[];
}

/** What was counted, per email. */
export interface Taken {
  readonly calls: number;
  readonly writeUnits: number;
  readonly readUnits: number;
}

/** What emails take until they are delivered and recorded, their settlement apart. */
export interface Delivered extends Taken {
  readonly samples: number;
  /** Runs of the feedback worker an email. */
  readonly feedbackRuns: number;
  /** By the kind of call. */
  readonly byCommand: Readonly<Record<string, { readonly calls: number; readonly units: number }>>;
}

/** What one send asks for before it answers. */
export async function countUntilAnswer(service: BenchService, send: Sender): Promise<UntilAnswer> {
  await service.quiet();
  await service.startMeter();
  await load({ clients: 1, total: 1, expect: 202 }, send);
  const calls = ofEmails((await service.readMeter()).calls);
  return { calls: calls.length, inTurn: chainOf(calls).map(({ command }) => command) };
}

/** The longest chain of five sends. */
export async function countLongest(service: BenchService, send: Sender): Promise<UntilAnswer> {
  let longest = await countUntilAnswer(service, send);
  for (let turn = 1; turn < 5; turn += 1) {
    const next = await countUntilAnswer(service, send);
    if (next.inTurn.length > longest.inTurn.length) longest = next;
  }
  return longest;
}

/** Sends until all of them are delivered. */
export async function countDelivered(
  service: BenchService,
  send: Sender,
  { samples, clients }: { readonly samples: number; readonly clients: number },
): Promise<Delivered> {
  await service.quiet();
  await service.startMeter();
  await load({ clients, total: samples, expect: 202 }, send);
  await service.quiet();
  const calls = ofEmails((await service.readMeter()).calls);
  const kinds = Map.groupBy(calls, ({ command }) => command);
  return {
    samples,
    ...takenOf(calls, samples),
    feedbackRuns: calls.filter(isWebhooks).length / samples,
    byCommand: Object.fromEntries(
      [...kinds].map(([kind, of]) => {
        const { readUnits, writeUnits } = takenOf(of, samples);
        return [kind, { calls: of.length / samples, units: readUnits + writeUnits }];
      }),
    ),
  };
}

/** The feedback worker asks once a run for the workspace's webhooks. */
const isWebhooks = ({ worker, command }: MeteredCall): boolean => worker === 'feedback' && command === 'Query';

/** Settles what was sent and answers what that takes of each email, and how many of its calls come after one another. */
export async function countSettlement(service: BenchService, emails: number): Promise<Taken & { inTurn: number }> {
  await service.startMeter();
  await service.settle();
  const calls = ofEmails((await service.readMeter()).calls);
  return { ...takenOf(calls, emails), inTurn: chainOf(calls).length };
}

/** The service's own sweeper may come between. */
const ofEmails = (calls: readonly MeteredCall[]) => calls.filter(({ worker }) => worker !== 'sweep');

function takenOf(calls: readonly MeteredCall[], emails: number): Taken {
  const sum = (of: (call: MeteredCall) => number) => calls.reduce((total, call) => total + of(call), 0) / emails;
  return {
    calls: calls.length / emails,
    writeUnits: sum(({ writeUnits }) => writeUnits),
    readUnits: sum(({ readUnits }) => readUnits),
  };
}

function chainOf(calls: readonly MeteredCall[]): MeteredCall[] {
  const found: MeteredCall[] = [];
  for (const call of [...calls].sort((a, b) => a.endedAt - b.endedAt)) {
    if (call.startedAt >= (found.at(-1)?.endedAt ?? 0)) found.push(call);
  }
  return found;
}

export const sumOf = (...taken: readonly Taken[]): Taken => ({
  calls: taken.reduce((sum, { calls }) => sum + calls, 0),
  writeUnits: taken.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
  readUnits: taken.reduce((sum, { readUnits }) => sum + readUnits, 0),
});
