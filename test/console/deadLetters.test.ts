import { queues } from '../../infra/resources.ts';
import { effectTexts, kindTexts, nameTexts } from '../../shared/console/sections/queues/internal/queueTexts.ts';
import { listAudit } from '../../shared/services/operators/operators.ts';
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

async function add(queue: string, bodies: readonly unknown[], DelaySeconds = 0): Promise<void> {
  const { SendMessageBatchCommand, SQSClient } = await import('@aws-sdk/client-sqs');
  const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });
  const QueueUrl = service.environment.QUEUE_URL_PREFIX + queue;
  const Entries = bodies.map((body, index) => {
    return { Id: String(index), MessageBody: JSON.stringify(body), DelaySeconds };
  });
  await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  sqs.destroy();
}

const addDeadLetters = (queue: string, bodies: readonly unknown[]) => add(`${queue}-dead`, bodies);

const text = (html: string) => html.replaceAll(/<[^>]+>|\s+/g, ' ').replaceAll(/ +/g, ' ');

it('the overview tells operators of all workspaces what SNS could not deliver', async () => {
  // Delayed, so that the service's own sweep does not move them meanwhile.
  await add('campaign-feedback-undelivered', [{ eventType: 'Bounce' }, { eventType: 'Send' }], 900);
  const overview = `/console/${service.workspaceId}`;
  const said = '2 events of SES have not reached their queue: Feedback on campaigns.';
  expect(text((await (await visitorOf(service, { role: 'viewer' })).get(overview)).text)).toContain(said);
  const ofOneWorkspace = await visitorOf(service, { role: 'owner', workspaceId: service.workspaceId });
  expect(text((await ofOneWorkspace.get(overview)).text)).not.toContain('have not reached their queue');
});

describe('the page of failed messages', () => {
  it('has texts for every queue', () => {
    for (const texts of [nameTexts, effectTexts]) expect(Object.keys(texts).sort()).toEqual(Object.keys(queues).sort());
    expect(Object.keys(kindTexts)).toContain('other');
  });

  it('is empty at first', async () => {
    const viewer = await visitorOf(service, { role: 'viewer' });
    expect((await viewer.get(place)).text).toContain('No failed messages');
  });

  it('shows queue, number and kinds, and no personal data', async () => {
    const mail = { eventType: 'Bounce', mail: { destination: ['ada@people.example'] } };
    await addDeadLetters('feedback', [mail, mail, { eventType: 'Delivery' }, { kind: '<script>' }]);
    const viewer = await visitorOf(service, { role: 'viewer' });
    const page = await viewer.get(place);
    expect(text(page.text)).toContain(
      'Feedback on single emails Messages 4 Kinds 2 × bounce, 1 × delivery, 1 × message of another service',
    );
    expect(page.text).not.toMatch(/ada@people|<script>(?!<)/);
    expect(page.text).not.toContain('Put them back');
  });

  it('lets an owner of all workspaces put messages back after a confirmation, and records it in the audit log', async () => {
    const owner = await visitorOf(service, { role: 'owner', name: 'Grace' });
    const asked = await owner.get(`${place}/feedback`);
    expect(text(asked.text)).toContain('4 messages return to their queue.');
    const done = await owner.post(`${place}/feedback`, { form_token: await owner.formToken(`${place}/feedback`) });
    expect([done.status, done.headers.get('location')]).toEqual([303, `${place}?done=putBack`]);
    await eventually(async () => !(await owner.get(place)).text.includes('Feedback on single emails'));
    const { entries } = await listAudit(operatorContext(), { workspaceId: null, limit: 1 });
    const entry = { action: 'queue.redrive', subject: 'feedback', by: 'Grace', role: 'owner', outcome: 'done' };
    expect(entries).toMatchObject([entry]);
  });

  it('is refused to viewers and editors, to operators of one workspace, and for unknown queues', async () => {
    await addDeadLetters('confirmation', [{ kind: 'confirmation', workspace_id: 'ws_1', email: 'ada@people.example' }]);
    const viewer = await visitorOf(service, { role: 'viewer' });
    const refused = await viewer.post(`${place}/confirmation`, { form_token: await viewer.formToken(place) });
    expect([refused.status, text(refused.text)]).toEqual([
      403,
      expect.stringContaining('Only an owner of all workspaces may do this'),
    ]);
    const editor = await visitorOf(service, { role: 'editor' });
    expect((await editor.get(place)).text).not.toContain('Put them back');
    expect((await editor.get(`${place}/confirmation`)).status).toBe(403);
    const tried = await editor.post(`${place}/confirmation`, { form_token: await editor.formToken(place) });
    expect(tried.status).toBe(403);
    const ofOneWorkspace = await visitorOf(service, { role: 'owner', workspaceId: service.workspaceId });
    expect((await ofOneWorkspace.get(place)).status).toBe(403);
    expect(
      (await ofOneWorkspace.post(`${place}/confirmation`, { form_token: await ofOneWorkspace.formToken(place) }))
        .status,
    ).toBe(403);
    const owner = await visitorOf(service);
    for (const queue of ['nothing', 'campaign', 'constructor'])
      expect((await owner.get(`${place}/${queue}`)).status).toBe(404);
    expect(text((await owner.get(place)).text)).toContain('Requests for consent and scheduled emails Messages 1');
  });
});
