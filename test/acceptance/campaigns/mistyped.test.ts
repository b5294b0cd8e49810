import { randomUUID } from 'node:crypto';
import { call } from '../client.ts';
import { inbox } from '../inbox.ts';
import { connectAgent } from '../mcp/agents.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';
import { draft, show, subscribe } from './campaign.ts';

/*
 * Calls as people and agents mistype them. None of them may send to more people, sooner or otherwise than was meant, and
 * each problem is named.
 */

let service: TestService;
let workspace: TestWorkspace;
let campaign: string;
const person = `m${randomUUID().slice(0, 12)}@example.net`;
const api = () => ({ ...service, apiKey: workspace.apiKey });

beforeAll(async () => {
  service = await sharedService();
  workspace = await newWorkspace(service);
  await subscribe(api(), [person]);
  campaign = await draft(api());
});
afterAll(() => service.stop());

const at = '2099-12-01T09:00:00Z';
const written = { name: 'N', subject: 'S', text: 'T' };
const email = () => ({ from: `a@${workspace.domain}`, to: person, subject: 'S', text: 'T' });
const paths = (body: { error: { details: { issues: { path: string }[] } } }) =>
  body.error.details.issues.map(({ path }) => path).sort();

const blocks = [
  { type: 'heading', level: 1, text: 'x', algin: 'center' },
  { type: 'button', label: 'x', href: 'https://example.com', url: 'y', Text: 'z' },
  { type: 'image', src: 'https://example.com/a.png', alt: '', heigth: 3 },
  {
    type: 'columns',
    columns: [[{ type: 'paragraph', text: 'x', txt: 'y' }], [{ type: 'divider', color: 'red' }]],
    gap: 3,
  },
  { type: 'list', items: ['[x](javascript:x)'], Ordered: true },
];
const blockPaths = [
  ...['content[0].algin', 'content[1].Text', 'content[1].url', 'content[2].heigth', 'content[3].columns[0][0].txt'],
  ...['content[3].columns[1][0].color', 'content[3].gap', 'content[4].Ordered', 'content[4].items[0]'],
];

/** Where, what, and the paths of the problems. */
type Mistake = readonly [call: string, body: unknown, paths: readonly string[]];

const sends: Mistake[] = [
  ...['mode', 'live', 'Debug', 'what-if', 'as_test', 'dryrun_mode', 'DRY RUN', 'previewOnly', 'rehearsal', 'Trial_Run'],
  ...['receivers', 'mailTo', 'to[0]', 'Empfänger', 'customer_ids', 'limit', 'sample_size', 'Where', 'subset', 'tags'],
  ...['not_before', 'delay_minutes', 'publishDate', 'Defer', 'send_later', 'tomorrow', 'time_zone', 'SCHEDULE_FOR'],
].map((name): Mistake => ['POST /campaigns/{id}/send', { [name]: 'x' }, [name]]);

const mistakes: Mistake[] = [
  ...sends,
  ['POST /campaigns/{id}/send', { to: null }, ['to']],
  ['POST /campaigns/{id}/send', { to: person, dry_run: 'true', Schedule: at }, ['Schedule', 'dry_run', 'to']],
  ['POST /campaigns/{id}/send', { dry_run: null }, ['dry_run']],
  ['POST /campaigns/{id}/send', { payload: { to: [person] } }, ['payload.to']],
  ['POST /campaigns/{id}/send', [{ dry_run: true }], ['']],
  ['POST /campaigns/{id}/send?Dry_Run=1', {}, ['Dry_Run']],
  ['POST /campaigns', { ...written, segmentID: 'x', Name: 'y', sendAt: at }, ['Name', 'segmentID', 'sendAt']],
  ['POST /campaigns', { ...written, dry_run: true, markdown: 'x', body: 'y' }, ['body', 'dry_run', 'markdown']],
  ['POST /campaigns', { name: 'N', subject: 'S', content: blocks }, blockPaths],
  ['POST /campaigns', { ...written, track: { open: false }, tags: ['x'] }, ['tags', 'track.open']],
  ['POST /campaigns?segment_id=x', written, ['segment_id']],
  ['POST /templates', { name: 'N', content: blocks, Subject: 'x' }, ['Subject', ...blockPaths].sort()],
  [
    'POST /templates',
    { name: 'N', html: 'x', variables: [{ key: 'a', fallbackValue: 'x' }], pre_header: 'y' },
    ['pre_header', 'variables[0].fallbackValue'],
  ],
  ['POST /templates?dry_run', { name: 'N', html: 'x' }, ['dry_run']],
  ['POST /uploads', { filename: 'a.pdf', size: 3, contentType: 'application/pdf' }, ['contentType']],
  ['POST /emails?scheduled_at=x', 'email', ['scheduled_at']],
  ['POST /emails/batch?dry_run', 'batch', ['dry_run']],
  ['POST /emails', { track: { open: false }, Subject: 'other' }, ['Subject', 'track.open']],
  ['POST /emails', { template: { id: 'x', variable: {} } }, ['template', 'template.variable']],
  ['POST /emails/batch', { track: { Clicks: false } }, ['[0].track.Clicks']],
];

const tools: Mistake[] = [
  ['send_campaign', { schedule: at }, ['schedule']],
  ['send_campaign', { foo: 1, to: [person] }, ['foo']],
  ['send_campaign', { dry_run: true }, ['dry_run']],
  ['send_campaign', { to: null }, ['to']],
  ['preview_campaign_send', { Audience: [person] }, ['Audience']],
  ['preview_campaign_send', { dry_run: false }, ['dry_run']],
  ['create_campaign', { ...written, when: at }, ['when']],
  ['create_campaign', { name: 'N', subject: 'S', content: blocks }, blockPaths],
  ['send_email', { scheduledAt: at }, ['scheduledAt']],
  ['send_email', { dry_run: true, foo: 1 }, ['dry_run', 'foo']],
  ['send_email', { track: { open: false } }, ['track.open']],
  ['add_subscriber', { email: person, doubleOptIn: false }, ['doubleOptIn']],
  ['remove_subscriber', { email: person, reason: 'x' }, ['reason']],
  ['add_suppression', { email: person, Reason: 'x' }, ['Reason']],
  ['list_subscribers', { Status: 'pending' }, ['Status']],
];

/** A body of a table as it is sent: fields of an email are added to a whole one. */
const bodyOf = (path: string, given: unknown): unknown => {
  if (!path.startsWith('/emails')) return given;
  const own = { ...email(), ...(typeof given === 'object' ? given : {}) };
  return path.startsWith('/emails/batch') ? [own] : own;
};

describe('a mistyped call', () => {
  it.each(mistakes)('%s with %j is refused, with every problem', async (line, given, expected) => {
    const [method = '', path = ''] = line.replace('{id}', campaign).split(' ');
    const { status, body } = await call(api(), method, `/api/v1${path}`, { body: bodyOf(path, given) });
    expect([status, paths(body)]).toEqual([422, expected]);
  });

  it('of a tool is refused, with every problem', async () => {
    const agent = await connectAgent('second', api());
    for (const [tool, given, expected] of tools) {
      const own = /_campaign(_send)?$/.test(tool) && tool !== 'create_campaign' ? { id: campaign } : {};
      const mail = tool === 'send_email' ? email() : {};
      const { isError, content } = await agent.use(tool, { ...own, ...mail, ...(given as object) });
      expect([tool, isError, paths(content)]).toEqual([tool, true, expected]);
    }
    await agent.close();
  });

  it('has sent nothing, and changed nobody', async () => {
    expect((await show(api(), campaign)).status).toBe('draft');
    expect(await inbox(service, person)).toEqual([]);
    expect((await call(api(), 'GET', `/api/v1/subscribers/${person}`)).body.status).toBe('subscribed');
    expect((await call(api(), 'GET', '/api/v1/templates')).body.data).toEqual([]);
    expect((await call(api(), 'GET', '/api/v1/campaigns')).body.data).toHaveLength(1);
  });

  it('is told the field that was probably meant', async () => {
    const { body } = await call(api(), 'POST', '/api/v1/campaigns', {
      body: { ...written, ab_test: { variants: [{ Subject: 'x' }, {}], waitHours: 1, test_share: 0.2 } },
    });
    const messages = body.error.details.issues.map(({ message }: { message: string }) => message);
    expect(messages).toEqual(expect.arrayContaining([expect.stringContaining('`wait_hours`')]));
    expect(messages).toEqual(expect.arrayContaining([expect.stringContaining('`subject`')]));
  });
});

describe('what other services have', () => {
  it('is ignored in a template, and told', async () => {
    const body = { name: 'N', html: 'x', from: 'a@b.example', reply_to: 'c@b.example', alias: 'n' };
    const { status, headers } = await call(api(), 'POST', '/api/v1/templates', { body });
    expect([status, headers.get('Mailroom-Ignored')]).toEqual([201, 'from, reply_to, alias']);
  });
});
