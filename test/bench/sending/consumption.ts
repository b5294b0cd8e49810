import { setTimeout as sleep } from 'node:timers/promises';
import { sendEmailRoute } from '../../../shared/contract/routes/emails.ts';
import { aroundUnits } from '../../shared/store/aroundCalls.ts';
import { type Consumption, gigabyteSecondsOf } from '../costs/consumption.ts';
import { load } from '../load.ts';
import prices from '../prices.json' with { type: 'json' };
import { startBenchService } from '../service.ts';
import { type Counts, chainOf } from './counts.ts';
import type { Round } from './rounds.ts';
import { senderOf } from './sender.ts';

const { assumed } = prices;
/** `Send` and `Delivery`, each a message of the topic. */
const eventsOfEmail = 2;
const feedbackMemoryMegabytes = 512;

/** What an email takes when each of its events comes alone, and when they come ten at a time; nothing when the processor was not measured. */
export function sendingConsumption(
  counts: Counts,
  rounds: readonly Round[],
  settlementReadUnits: number,
  logBytes: number,
): Consumption[] {
  const [without, both] = [false, true].map((feedback) => handlerMilliseconds(rounds, feedback));
  if (without === undefined || both === undefined) return [];
  const tableCalls = chainOf(counts.calls).filter(({ command }) => command !== 'SendEmail').length;
  const send = gigabyteSecondsOf({
    memoryMegabytes: sendEmailRoute.function.memoryMegabytes,
    processorMilliseconds: without,
    waitingMilliseconds: tableCalls * assumed.tableCallMilliseconds + assumed.providerCallMilliseconds,
  });
  const feedback = (eventsOfRun: number) =>
    gigabyteSecondsOf({
      memoryMegabytes: feedbackMemoryMegabytes,
      processorMilliseconds: (both - without) * (eventsOfRun / eventsOfEmail),
      waitingMilliseconds: 2 * assumed.tableCallMilliseconds,
    });
  return [1, 10].map((eventsOfRun) => {
    const runs = eventsOfEmail / eventsOfRun;
    return {
      what: `single emails, ${eventsOfRun === 1 ? 'each event alone' : 'events ten at a time'}`,
      gatewayCalls: 1,
      functionCalls: 1 + runs,
      gigabyteSeconds: send + runs * feedback(eventsOfRun),
      readUnits: counts.readUnits + settlementReadUnits,
      writeUnits: counts.writeUnits,
      // Received and deleted; that SNS puts them there is free.
      queueCalls: 2 * runs,
      topicMessages: eventsOfEmail,
      logBytes,
      messages: 1,
    };
  });
}

/** Processor time of handlers and workers per send, the local gateway and consumers included: more than Lambda needs. */
function handlerMilliseconds(rounds: readonly Round[], feedback: boolean): number | undefined {
  const round = rounds.find(
    (each) => each.clients === 10 && each.providerMilliseconds === 0 && each.feedback === feedback,
  );
  const seconds = round?.processor?.['handlers, workers, gateway'];
  return round && seconds !== undefined ? (seconds * 1000) / round.result.calls : undefined;
}

/** Bytes of log per send at the level of a deployment, those of its events included. */
export async function measureLog(): Promise<number> {
  const service = await startBenchService(undefined, { POWERTOOLS_LOG_LEVEL: 'INFO' });
  try {
    const samples = 40;
    const before = service.loggedBytes();
    await load({ clients: 2, total: samples, expect: 202 }, senderOf(service));
    await service.quiet();
    return (service.loggedBytes() - before) / samples;
  } finally {
    await service.stop();
  }
}

/**
 * Settles what was sent, as the sweeper does six minutes later, and answers its read units per email. Then it waits for
 * the next minute, since the present one takes nothing more.
 */
export async function measureSettlement(workspaceId: string): Promise<number> {
  const [{ documents }, { sweepOpenSends }, { getMonth }] = await Promise.all([
    import('../../../shared/store/table/table.ts'),
    import('../../../shared/services/sweep/openSends.ts'),
    import('../../../shared/store/sending/usage.ts'),
  ]);
  const { minutes } = await getMonth(workspaceId, new Date().toISOString().slice(0, 7));
  const emails = minutes.reduce((total, { recipients }) => total + recipients, 0);
  let units = 0;
  const release = aroundUnits(documents, ({ operation }, taken) => {
    if (/Query|Get/.test(operation)) units += taken;
  });
  await sweepOpenSends(new Date(Date.now() + 3_600_000));
  release();
  await sleep(60_000 - (Date.now() % 60_000));
  return units / emails;
}
