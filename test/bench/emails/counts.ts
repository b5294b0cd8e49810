import type { MeteredCall } from '../counting.ts';
import { load } from '../load.ts';
import type { BenchService } from '../service.ts';
import type { Sender } from './sender.ts';

/** The calls of one send until its answer, SES's included. */
export interface UntilAnswer {
  readonly calls: number;
  /** The longest chain of calls, each of which began after the one before had ended. */
  readonly inTurn: readonly string[];
}

/** Calls and units per email. */
export interface Taken {
  readonly calls: number;
  readonly writeUnits: number;
  readonly readUnits: number;
}

/** Until the emails are delivered and recorded, without their settlement. */
export interface Delivered extends Taken {
  /** Runs of the feedback worker per email. */
  readonly feedbackRuns: number;
}

/** The longest chain of five sends. */
export async function countLongest(service: BenchService, send: Sender): Promise<UntilAnswer> {
  const sends: UntilAnswer[] = [];
  while (sends.length < 5) sends.push(await countUntilAnswer(service, send));
  return sends.reduce((longest, next) => (next.inTurn.length > longest.inTurn.length ? next : longest));
}

async function countUntilAnswer(service: BenchService, send: Sender): Promise<UntilAnswer> {
  await service.quiet();
  await service.startMeter();
  await load({ clients: 1, total: 1, expect: 202 }, send);
  const calls = ofEmails((await service.readMeter()).calls);
  return { calls: calls.length, inTurn: chainOf(calls).map(({ command }) => command) };
}

/** Sends, and counts until all of them are delivered. */
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
  return { ...takenOf(calls, samples), feedbackRuns: calls.filter(isWebhooks).length / samples };
}

/** The feedback worker queries the workspace's webhooks once a run. */
const isWebhooks = ({ worker, command }: MeteredCall): boolean => worker === 'feedback' && command === 'Query';

/** Settles what was sent: per email, with the number of calls that follow one another. */
export async function countSettlement(service: BenchService, emails: number): Promise<Taken & { inTurn: number }> {
  await service.startMeter();
  await service.settle();
  const calls = ofEmails((await service.readMeter()).calls);
  return { ...takenOf(calls, emails), inTurn: chainOf(calls).length };
}

/** What it takes to copy an email to the bucket, per email that is copied. */
export interface Copied extends Taken {
  readonly emails: number;
  readonly files: number;
  readonly fileBytes: number;
  readonly processorMilliseconds: number;
}

export async function countCopies(service: BenchService, emails: number): Promise<Copied> {
  await service.startMeter();
  await service.copy();
  const { calls, processorMilliseconds } = await service.readMeter();
  const { files, bytes } = service.copies();
  const each = (sum: number) => (files === 0 ? 0 : sum / emails);
  return {
    ...takenOf(ofEmails(calls), emails),
    ...{ emails: files === 0 ? 0 : emails, files: each(files), fileBytes: each(bytes) },
    processorMilliseconds: each(processorMilliseconds),
  };
}

/** Without the calls of the service's own sweeper. */
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
