import { queues } from '../../infra/resources.ts';
import { effectTexts, kindTexts, nameTexts } from '../../shared/console/rooms/queues/texts.ts';
import { listAudit } from '../../shared/services/operators/listAudit.ts';
import { eventually } from '../acceptance/client.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { operatorContext } from '../shared/services/context.ts';
import { visitorOf } from './visitor.ts';

let service: TestService;
let place: string;

beforeAll(async () => {
  service = await startService();
  Object.assign(process.env, service.environment);
  place = `/console/${service.workspaceId}/given-up`;
});
afterAll(() => service.stop());

/** Puts messages where a queue's worker would have given them up. */
async function giveUp(queue: string, bodies: readonly unknown[]): Promise<void> {
  const { SendMessageBatchCommand, SQSClient } = await import('@aws-sdk/client-sqs');
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  const QueueUrl = service.environment[`${queue.toUpperCase().replaceAll('-', '_')}_DEAD_LETTERS_URL`];
  const Entries = bodies.map((body, index) => ({ Id: String(index), MessageBody: JSON.stringify(body) }));
  await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  sqs.destroy();
}

const text = (html: string) => html.replaceAll(/<[^>]+>|\s+/g, ' ').replaceAll(/ +/g, ' ');

describe('what queues gave up', () => {
  it('has words for every queue that there is', () => {
    for (const words of [nameTexts, effectTexts]) expect(Object.keys(words).sort()).toEqual(Object.keys(queues).sort());
    expect(Object.keys(kindTexts)).toContain('other');
  });

  it('is nothing at first, and the page says what would be here', async () => {
    const viewer = await visitorOf(service, { role: 'viewer' });
    expect((await viewer.get(place)).text).toContain('Nothing was given up');
  });

  it('is told by queue, number and kind, without a word of whom it is about', async () => {
    const mail = { eventType: 'Bounce', mail: { destination: ['ada@people.example'] } };
    await giveUp('feedback', [mail, mail, { eventType: 'Delivery' }, { kind: '<script>' }]);
    const viewer = await visitorOf(service, { role: 'viewer' });
    const page = await viewer.get(place);
    expect(text(page.text)).toContain(
      'What became of single emails Put aside 4 What they are 2 × bounce, 1 × delivery, 1 × not a message of this service',
    );
    expect(page.text).not.toMatch(/ada@people|<script>(?!<)/);
    expect(page.text).not.toContain('Put them back');
  });

  it('is put back by who may change something, after they were asked, and the log says so', async () => {
    const editor = await visitorOf(service, { role: 'editor', name: 'Grace' });
    const asked = await editor.get(`${place}/feedback`);
    expect(text(asked.text)).toContain('4 messages go back on their queue.');
    const done = await editor.post(`${place}/feedback`, { form_token: await editor.formToken(`${place}/feedback`) });
    expect([done.status, done.headers.get('location')]).toEqual([303, `${place}?done=putBack`]);
    await eventually(async () => !(await editor.get(place)).text.includes('What became of single emails'));
    const { entries } = await listAudit(operatorContext(), { workspaceId: null, limit: 1 });
    const entry = { action: 'queue.redrive', subject: 'feedback', by: 'Grace', role: 'editor', outcome: 'done' };
    expect(entries).toMatchObject([entry]);
  });

  it('is refused to a viewer, to operators of one workspace, and for a queue that there is not', async () => {
    await giveUp('confirmation', [{ kind: 'confirmation', workspace_id: 'ws_1', email: 'ada@people.example' }]);
    const viewer = await visitorOf(service, { role: 'viewer' });
    const refused = await viewer.post(`${place}/confirmation`, { form_token: await viewer.formToken(place) });
    expect([refused.status, text(refused.text)]).toEqual([403, expect.stringContaining('You may look')]);
    const bound = await visitorOf(service, { role: 'owner', workspaceId: service.workspaceId });
    expect((await bound.get(place)).status).toBe(403);
    expect((await bound.post(`${place}/confirmation`, { form_token: await bound.formToken(place) })).status).toBe(403);
    const owner = await visitorOf(service);
    for (const queue of ['nothing', 'campaign', 'constructor'])
      expect((await owner.get(`${place}/${queue}`)).status).toBe(404);
    expect(text((await owner.get(place)).text)).toContain('Requests for consent Put aside 1');
  });
});
