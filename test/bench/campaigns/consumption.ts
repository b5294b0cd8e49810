import { type Consumption, gigabyteSecondsOf } from '../costs/consumption.ts';
import prices from '../prices.json' with { type: 'json' };
import type { FeedbackFigures, FeedbackOfList } from './feedback.ts';
import { type FreezeFigures, unitsOf } from './freeze.ts';
import type { WholeFigures } from './whole.ts';

const { assumed } = prices;
/** Functions of the deployment, as `infra/resources.ts` and the routes have them. */
const [workerMegabytes, freezeMegabytes] = [512, 1769];
/** Opens and clicks of a message: four in ten, and one in eight of these. */
const engagementOfMessage = 0.45;
const sendAndDelivery = 2;
/** Messages that one call takes from a queue, or deletes there. */
const messagesOfPoll = 10;
/** What a worker says of a run; Lambda's own lines are switched off. */
const logBytesOfRun = 500;
/** At 100 a second two runners wait for their places all the time. */
const [runners, perSecond] = [2, 100];
/** Turns last for half of their function's minute and more. */
const secondsOfTurn = 25;

/** What a message of a campaign takes of AWS, from its share in the freeze to its share in the report. */
export function campaignConsumption(
  frozen: FreezeFigures,
  whole: WholeFigures,
  feedback: FeedbackOfList | undefined,
): Consumption {
  const { deliveries, engagement } = feedback ?? {};
  const turns = runners / perSecond / secondsOfTurn;
  const runsOfDelivery = whole.feedbackRun.batches / whole.people;
  const runsOfEngagement = engagement ? (engagement.batches / engagement.events) * engagementOfMessage : 0;
  const events = sendAndDelivery + engagementOfMessage;
  const functionCalls = turns + runsOfDelivery + runsOfEngagement;
  const stages = [whole.freeze, whole.sending, whole.feedback, whole.report];
  const units = (unit: 'readUnits' | 'writeUnits') =>
    stages.reduce((sum, stage) => sum + stage[unit], 0) +
    (engagement ? (unitsOf(engagement.calls)[unit] / engagement.events) * engagementOfMessage : 0);
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
    // A turn is sent, received and deleted; that SNS puts events on their queue is taken to be free (prices.json).
    queueCalls: turns * 3 + (events * 2) / messagesOfPoll,
    topicMessages: events,
    logBytes: functionCalls * logBytesOfRun,
    tableByteMonths: whole.stored.tableByteMonths,
    indexByteMonths: whole.stored.indexByteMonths,
    messages: 1,
  };
}

/** Gigabyte seconds of so many events; the calls of a run's table are made side by side, so that it waits for a few. */
function feedbackSeconds(figures: FeedbackFigures | undefined, events: number): number {
  if (!figures) return 0;
  const callsInARow = 4;
  return (
    gigabyteSecondsOf({
      memoryMegabytes: workerMegabytes,
      processorMilliseconds: figures.cpuMilliseconds / figures.events,
      waitingMilliseconds: (callsInARow * assumed.tableCallMilliseconds * figures.batches) / figures.events,
    }) * events
  );
}
