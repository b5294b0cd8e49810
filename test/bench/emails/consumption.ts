import { queues } from '../../../infra/resources.ts';
import { parseSettings } from '../../../infra/settings.ts';
import { sendEmailRoute } from '../../../shared/contract/routes/emails.ts';
import { accessLogBytes } from '../costs/accessLog.ts';
import { type Consumption, gigabyteSecondsOf } from '../costs/consumption.ts';
import { daysOfMonth } from '../costs/storage.ts';
import { load } from '../load.ts';
import prices from '../prices.json' with { type: 'json' };
import { startBenchService } from '../service.ts';
import type { Copied, Taken } from './counts.ts';
import { type Counted, type ListCounts, nameOfList } from './lists.ts';
import { senderOf } from './sender.ts';
import type { Speed } from './speed.ts';

const { assumed } = prices;
/** `Send` and `Delivery`: a message of the topic each, and a run of the worker each for an email that is alone. */
const eventsOfEmail = 2;
const workerMemoryMegabytes = 512;
/** Lambda receives and deletes ten messages a call, whatever the size of the batch. */
const maxMessages = 10;

/**
 * What an email takes under each list: in bursts, with a key, and alone in its minute. Empty when the processor was not
 * measured. Processor times are those of the default list and of sends without a key.
 */
export function sendingConsumption(
  lists: readonly ListCounts[],
  speeds: readonly Speed[],
  functionLogBytes: number,
): Consumption[] {
  const [without, both] = [false, true].map((feedback) => handlerMilliseconds(speeds, feedback));
  if (without === undefined || both === undefined) return [];
  const consumptionOf = (what: string, way: Counted, taken: Taken, runs: number, copied: Copied): Consumption => {
    const eventsOfRun = eventsOfEmail / runs;
    return {
      what: `single emails, ${what}`,
      gatewayCalls: 1,
      functionCalls: 1 + runs + copied.files,
      gigabyteSeconds:
        sendSeconds(way, without) + runs * feedbackSeconds(both - without, eventsOfRun) + copySeconds(copied),
      readUnits: taken.readUnits + copied.readUnits,
      writeUnits: taken.writeUnits + copied.writeUnits,
      // Each file is read back once.
      filePuts: copied.files,
      fileGets: copied.files,
      fileByteMonths: (copied.fileBytes * (retentionDays - daysUntilCopied)) / daysOfMonth,
      // Received and deleted; SNS is assumed to enqueue for free (prices.json).
      queueCalls: 2 * (eventsOfEmail / Math.min(eventsOfRun, maxMessages)) + 3 * copied.files,
      topicMessages: eventsOfEmail,
      logBytes: functionLogBytes + accessLogBytes({ method: 'POST', path: '/api/v1/emails', status: 202 }),
      tableByteMonths: way.stored.tableByteMonths,
      indexByteMonths: way.stored.indexByteMonths,
      messages: 1,
    };
  };
  return lists.flatMap(({ list, plain, keyed, lone, copied }) => {
    const inBursts = (what: string, way: Counted) =>
      consumptionOf(what, way, way.inAll, way.delivered.feedbackRuns, copied);
    const name = nameOfList(list);
    const alone = consumptionOf(`${name}, each alone in its minute`, plain, lone.inAll, eventsOfEmail, copied);
    return [
      inBursts(`${name}, in bursts`, plain),
      ...(keyed ? [inBursts(`${name}, in bursts, with an Idempotency-Key`, keyed)] : []),
      // The sweeper runs anyway, and waits longer.
      {
        ...alone,
        gigabyteSeconds:
          (alone.gigabyteSeconds ?? 0) +
          gigabyteSecondsOf({
            memoryMegabytes: workerMemoryMegabytes,
            processorMilliseconds: 0,
            waitingMilliseconds: lone.settlementInTurn * assumed.tableCallMilliseconds,
          }),
      },
    ];
  });
}

const { emailRetentionDays: retentionDays } = parseSettings({});
const daysUntilCopied = 23;
/** Reads of the table at once (shared/store/archive/copyEmails.ts). */
const readsAtOnce = 24;

const copySeconds = ({ calls, processorMilliseconds }: Copied): number =>
  gigabyteSecondsOf({
    memoryMegabytes: queues.job.workerMemoryMegabytes,
    processorMilliseconds,
    waitingMilliseconds: (calls / readsAtOnce) * assumed.tableCallMilliseconds,
  });

function sendSeconds({ untilAnswer: { inTurn } }: Counted, processorMilliseconds: number): number {
  const tableCalls = inTurn.filter((command) => command !== 'SendEmail').length;
  return gigabyteSecondsOf({
    memoryMegabytes: sendEmailRoute.function.memoryMegabytes,
    processorMilliseconds,
    waitingMilliseconds: tableCalls * assumed.tableCallMilliseconds + assumed.providerCallMilliseconds,
  });
}

/** Of one run of the worker; `processorMilliseconds` are those of all events of an email. */
const feedbackSeconds = (processorMilliseconds: number, eventsOfRun: number): number =>
  gigabyteSecondsOf({
    memoryMegabytes: workerMemoryMegabytes,
    processorMilliseconds: processorMilliseconds * (eventsOfRun / eventsOfEmail),
    waitingMilliseconds: 2 * assumed.tableCallMilliseconds,
  });

/** Processor time of handlers and workers per send, the local gateway and consumers included: more than Lambda needs. */
function handlerMilliseconds(speeds: readonly Speed[], feedback: boolean): number | undefined {
  const speed = speeds.find((each) => each.providerMilliseconds === 0 && each.feedback === feedback);
  const seconds = speed?.processor?.['handlers, workers, gateway'];
  return speed && seconds !== undefined ? (seconds * 1000) / speed.result.calls : undefined;
}

/** Bytes that the functions log per send at a deployment's log level, those of its events included. */
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
