import { lambdaContext } from '../../../infra/local/lambdaContext.ts';
import { sqsEvent } from '../../../infra/local/messaging/internal/queueBatch.ts';
import { startTestTable } from '../../shared/store/testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let handler: typeof import('../../../functions/workers/feedback.ts').handler;
let getEmailWatermark: typeof import('../../../shared/store/feedbackWatermarks.ts').getEmailWatermark;
beforeAll(async () => {
  table = await startTestTable();
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
  ({ handler } = await import('../../../functions/workers/feedback.ts'));
  ({ getEmailWatermark } = await import('../../../shared/store/feedbackWatermarks.ts'));
});
afterAll(() => table.stop());

const work = (...bodies: string[]) => {
  const messages = bodies.map((Body, index) => ({ MessageId: String(index), ReceiptHandle: 'r', Body }));
  const event = sqsEvent(messages, 'arn:aws:sqs:us-east-1:000000000000:feedback');
  return handler(event, lambdaContext('feedback', 30), () => {});
};

/** The Send event of a message accepted at this time. */
const sendEvent = (timestamp: string) =>
  JSON.stringify({
    eventType: 'Send',
    mail: {
      messageId: 'm',
      timestamp,
      tags: { mailroom_workspace: ['ws_1'], mailroom_email: ['email_1'], mailroom_envelope: ['0'] },
    },
    send: {},
  });

describe('the feedback watermark', () => {
  it('is stored by a batch without failures, from the latest of its messages, and not by every batch', async () => {
    const [early, late, later] = ['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:05.000Z', '2026-11-21T10:00:09.000Z'];
    await work(sendEvent(early as string), 'no JSON');
    expect(await getEmailWatermark()).toBeNull();
    await work(sendEvent(late as string), sendEvent(early as string));
    expect(await getEmailWatermark()).toBe(Date.parse(late as string));
    await work(sendEvent(later as string));
    expect(await getEmailWatermark()).toBe(Date.parse(late as string));
  });
});
