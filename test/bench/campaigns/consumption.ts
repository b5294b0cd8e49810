import { type Consumption, gigabyteSecondsOf } from '../costs/consumption.ts';
import prices from '../prices.json' with { type: 'json' };
import type { FeedbackFigures } from './feedback.ts';
import { type FreezeFigures, unitsOf } from './freeze.ts';
import type { WholeFigures } from './whole.ts';

const { assumed } = prices;
/** Functions of the deployment, as `infra/resources.ts` and the routes have them. */
const [workerMegabytes, freezeMegabytes] = [512, 1769];
/** Four in ten messages are opened, and one in eight of these is clicked. */
const engagementOfMessage = 0.45;
const sendAndDelivery = 2;
/** Messages that one call takes from a queue, or deletes there. */
const messagesOfPoll = 10;
/** What a worker logs per run; Lambda's own lines are switched off. */
const logBytesOfRun = 500;
/** At 100 messages a second two runners are busy or wait all the time. */
const [runners, perSecond] = [2, 100];
/** One run of a runner lasts for about half of its function's time limit of a minute. */
const secondsOfSlot = 25;

/** What one message of a campaign takes of AWS, with its share of the freeze and of the report. */
export function campaignConsumption(frozen: FreezeFigures, whole: WholeFigures): Consumption {
  const { deliveries, engagement, people, stages } = whole;
  const slots = runners / perSecond / secondsOfSlot;
  const engagementRuns = (engagement.batches / engagement.events) * engagementOfMessage;
  const events = sendAndDelivery + engagementOfMessage;
  const functionCalls = slots + deliveries.batches / people + engagementRuns;
  const units = (unit: 'readUnits' | 'writeUnits') =>
    Object.values(stages).reduce((sum, stage) => sum + stage[unit], 0) +
    (unitsOf(engagement.calls)[unit] / engagement.events) * engagementOfMessage;
  return {
    what: `campaign messages, at ${perSecond} a second, delivered, ${engagementOfMessage} opens and clicks each`,
    functionCalls,
    gigabyteSeconds:
      (runners / perSecond) * (workerMegabytes / 1024) +
      gigabyteSecondsOf({
        memoryMegabytes: freezeMegabytes,
        processorMilliseconds: (frozen.cpuSeconds * 1000) / frozen.queued,
        waitingMilliseconds: 0,
      }) +
      feedbackSeconds(deliveries, sendAndDelivery) +
      feedbackSeconds(engagement, engagementOfMessage),
    readUnits: units('readUnits'),
    writeUnits: units('writeUnits'),
    // A slot is a message that is sent, received and deleted; SNS is assumed to enqueue for free (prices.json).
    queueCalls: slots * 3 + (events * 2) / messagesOfPoll,
    topicMessages: events,
    logBytes: functionCalls * logBytesOfRun,
    tableByteMonths: whole.stored.tableByteMonths,
    indexByteMonths: whole.stored.indexByteMonths,
    messages: 1,
  };
}

/** A run makes its calls of the table side by side, so it waits for a few. */
function feedbackSeconds(figures: FeedbackFigures, events: number): number {
  const callsInARow = 4;
  return (
    gigabyteSecondsOf({
      memoryMegabytes: workerMegabytes,
      processorMilliseconds: figures.cpuMilliseconds / figures.events,
      waitingMilliseconds: (callsInARow * assumed.tableCallMilliseconds * figures.batches) / figures.events,
    }) * events
  );
}
