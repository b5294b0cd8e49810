import { sendEmailRoute } from '../../../shared/contract/routes/emails.ts';
import { accessLogBytes } from '../costs/accessLog.ts';
import { type Consumption, gigabyteSecondsOf } from '../costs/consumption.ts';
import { load } from '../load.ts';
import prices from '../prices.json' with { type: 'json' };
import { startBenchService } from '../service.ts';
import type { Taken } from './counts.ts';
import { nameOfList } from './listRows.ts';
import type { Counted, ListCounts } from './lists.ts';
import type { Round } from './rounds.ts';
import { senderOf } from './sender.ts';

const { assumed } = prices;
/** `Send` and `Delivery`, each a message of the topic; of an email that is alone, a run of the worker each. */
const eventsOfEmail = 2;
const workerMemoryMegabytes = 512;
/** Lambda receives and deletes ten messages a call, however many it hands over at once. */
const mostMessages = 10;

/**
 * What an email takes under each list: in bursts, with a key, and alone in its minute; nothing when the processor was not
 * measured. Processor times are those of the default list, and of sends without a key.
 */
export function sendingConsumption(
  lists: readonly ListCounts[],
  rounds: readonly Round[],
  functionLogBytes: number,
): Consumption[] {
  const [without, both] = [false, true].map((feedback) => handlerMilliseconds(rounds, feedback));
  if (without === undefined || both === undefined) return [];
  const consumptionOf = (what: string, way: Counted, taken: Taken, runs: number): Consumption => {
    const eventsOfRun = eventsOfEmail / runs;
    return {
      what: `single emails, ${what}`,
      gatewayCalls: 1,
      functionCalls: 1 + runs,
      gigabyteSeconds: sendSeconds(way, without) + runs * feedbackSeconds(both - without, eventsOfRun),
      readUnits: taken.readUnits,
      writeUnits: taken.writeUnits,
      // Received and deleted; that SNS puts them there is taken to be free (prices.json).
      queueCalls: 2 * (eventsOfEmail / Math.min(eventsOfRun, mostMessages)),
      topicMessages: eventsOfEmail,
      logBytes: functionLogBytes + accessLogBytes({ method: 'POST', path: '/api/v1/emails', status: 202 }),
      tableByteMonths: way.stored.tableByteMonths,
      indexByteMonths: way.stored.indexByteMonths,
      messages: 1,
    };
  };
  return lists.flatMap(({ list, plain, keyed, lone }) => {
    const name = nameOfList(list);
    const alone = consumptionOf(`${name}, each alone in its minute`, plain, lone.inAll, eventsOfEmail);
    return [
      consumptionOf(`${name}, in bursts`, plain, plain.inAll, plain.delivered.feedbackRuns),
      consumptionOf(`${name}, in bursts, with an Idempotency-Key`, keyed, keyed.inAll, keyed.delivered.feedbackRuns),
      // The sweeper runs anyway, and longer by what it waits for.
      {
        ...alone,
        gigabyteSeconds:
          (alone.gigabyteSeconds ?? 0) +
          gigabyteSecondsOf({
            memoryMegabytes: workerMemoryMegabytes,
            processorMilliseconds: 0,
            waitingMilliseconds: lone.settlement.inTurn * assumed.tableCallMilliseconds,
          }),
      },
    ];
  });
}

function sendSeconds({ untilAnswer: { inTurn } }: Counted, processorMilliseconds: number): number {
  const tableCalls = inTurn.filter((command) => command !== 'SendEmail').length;
  return gigabyteSecondsOf({
    memoryMegabytes: sendEmailRoute.function.memoryMegabytes,
    processorMilliseconds,
    waitingMilliseconds: tableCalls * assumed.tableCallMilliseconds + assumed.providerCallMilliseconds,
  });
}

/** Of a run of the worker; `processorMilliseconds` are those of all events of an email. */
const feedbackSeconds = (processorMilliseconds: number, eventsOfRun: number): number =>
  gigabyteSecondsOf({
    memoryMegabytes: workerMemoryMegabytes,
    processorMilliseconds: processorMilliseconds * (eventsOfRun / eventsOfEmail),
    waitingMilliseconds: 2 * assumed.tableCallMilliseconds,
  });

/** Processor time of handlers and workers per send, the local gateway and consumers included: more than Lambda needs. */
function handlerMilliseconds(rounds: readonly Round[], feedback: boolean): number | undefined {
  const round = rounds.find(
    (each) => each.clients === 10 && each.providerMilliseconds === 0 && each.feedback === feedback,
  );
  const seconds = round?.processor?.['handlers, workers, gateway'];
  return round && seconds !== undefined ? (seconds * 1000) / round.result.calls : undefined;
}

/** Bytes that functions log per send at the level of a deployment, those of its events included. */
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
