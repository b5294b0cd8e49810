import { call, eventually } from '../client.ts';
import { inbox } from '../inbox.ts';
import { promisedEventOf, type Receiver, startReceiver } from '../receiver.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  workspace = await newWorkspace(service);
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const api = (method: string, path: string, body?: unknown) =>
  call({ baseUrl: service.baseUrl, apiKey: workspace.apiKey }, method, `/api/v1${path}`, body ? { body } : {});

const subscribe = async (...events: string[]) => (await api('POST', '/webhooks', { url: receiver.url, events })).body;

const tags = [{ name: 'category', value: 'receipt' }];

async function send(fields: Record<string, unknown>) {
  const html = '<p><a href="https://example.com/offer?a=1&amp;b=2">Offer</a></p>';
  const body = { from: `hello@${workspace.domain}`, subject: 'Reçu n° 1', html, tags, ...fields };
  const answer = await api('POST', '/emails', body);
  expect(answer.status).toBe(202);
  return answer.body;
}

/** Makes the local SES publish an event, once more if need be, as SES does. */
async function report(recipient: string, event: Record<string, unknown>) {
  const [message] = await eventually(async () => {
    const found = await inbox(service, recipient);
    return found.length > 0 && found;
  });
  const response = await fetch(`${service.sesEndpoint}/_control/events`, {
    method: 'POST',
    body: JSON.stringify({ message_id: message?.message_id, ...event }),
  });
  expect(response.status).toBe(202);
}

// biome-ignore lint/suspicious/noExplicitAny: events are JSON of any shape, and tests look into them
const events = (): any[] => receiver.requests.map(promisedEventOf);

const arrived = (count: number) => eventually(async () => receiver.requests.length >= count && events());

/** Long enough for what must not come to have come. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 800));

const recipient = () => `ada@${workspace.domain}`;

describe('email.delivered', () => {
  it('is emitted once for each recipient, however often SES reports it', async () => {
    await subscribe('email.delivered');
    const email = await send({ to: [recipient(), `BOB@${workspace.domain}`] });
    await arrived(2);
    await report(recipient(), { type: 'Delivery', recipient: recipient() });
    await report(recipient(), { type: 'Bounce', recipient: recipient() });
    await report(recipient(), { type: 'Delivery', recipient: recipient() });
    await settled();
    expect(events().sort((a, b) => a.data.recipient.localeCompare(b.data.recipient))).toEqual(
      [recipient(), `bob@${workspace.domain}`].map((address) => ({
        id: expect.stringMatching(/^evt_/),
        type: 'email.delivered',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        data: { email_id: email.id, campaign_id: null, recipient: address, subject: 'Reçu n° 1', tags },
      })),
    );
  });
});

describe('email.bounced', () => {
  it('has the reason, and is emitted once; a soft bounce is no event', async () => {
    await subscribe('email.bounced', 'subscriber.unsubscribed');
    const email = await send({ to: recipient() });
    await report(recipient(), { type: 'Bounce', bounce_type: 'Transient', bounce_sub_type: 'MailboxFull' });
    await report(recipient(), { type: 'Bounce' });
    await arrived(1);
    await report(recipient(), { type: 'Bounce' });
    await settled();
    expect(events()).toEqual([
      expect.objectContaining({
        type: 'email.bounced',
        data: {
          email_id: email.id,
          campaign_id: null,
          recipient: recipient(),
          subject: 'Reçu n° 1',
          tags,
          bounce: { type: 'Permanent', subtype: 'General', diagnostic: expect.any(String) },
        },
      }),
    ]);
  });
});

describe('email.complained', () => {
  it('has the type of complaint, and is emitted once', async () => {
    await subscribe('email.complained');
    await send({ to: recipient() });
    await report(recipient(), { type: 'Complaint', complaint_feedback_type: 'abuse' });
    await arrived(1);
    await report(recipient(), { type: 'Complaint', complaint_feedback_type: 'abuse' });
    await settled();
    expect(events()).toEqual([
      expect.objectContaining({
        type: 'email.complained',
        data: expect.objectContaining({ recipient: recipient(), complaint: { feedback_type: 'abuse' } }),
      }),
    ]);
  });
});

describe('email.opened', () => {
  it('is emitted for each open, and says whether a relay opened it', async () => {
    await subscribe('email.opened');
    await send({ to: recipient() });
    const gmail = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)';
    await report(recipient(), { type: 'Open', user_agent: 'Mozilla/5.0 (iPhone) AppleWebKit/605.1.15' });
    await report(recipient(), { type: 'Open', user_agent: gmail });
    await arrived(2);
    const seen = events().map(({ data }) => [data.user_agent, data.proxied, data.recipient]);
    expect(seen).toContainEqual(['Mozilla/5.0 (iPhone) AppleWebKit/605.1.15', false, recipient()]);
    expect(seen).toContainEqual([gmail, true, recipient()]);
  });

  it('names no recipient when the message had several', async () => {
    await subscribe('email.opened');
    await send({ to: [recipient(), `bob@${workspace.domain}`] });
    await report(recipient(), { type: 'Open' });
    const [event] = await arrived(1);
    expect(event.data.recipient).toBeNull();
  });
});

describe('email.clicked', () => {
  it('names the link', async () => {
    await subscribe('email.clicked');
    await send({ to: recipient() });
    await report(recipient(), { type: 'Click', user_agent: 'Mozilla/5.0 (X11)' });
    const [event] = await arrived(1);
    expect(event).toMatchObject({
      type: 'email.clicked',
      data: { url: 'https://example.com/offer?a=1&b=2', user_agent: 'Mozilla/5.0 (X11)', recipient: recipient() },
    });
  });
});

describe('subscriber.created and subscriber.unsubscribed', () => {
  it('have the subscriber and the source of the change', async () => {
    await subscribe('subscriber.created', 'subscriber.unsubscribed');
    const created = await api('POST', '/subscribers', { email: recipient(), firstName: 'Ada', double_opt_in: false });
    expect(created.status).toBe(201);
    await api('POST', '/subscribers', { email: recipient(), firstName: 'Ada L.', double_opt_in: false });
    await api('DELETE', `/subscribers/${encodeURIComponent(recipient())}`);
    await api('DELETE', `/subscribers/${encodeURIComponent(recipient())}`);
    await arrived(2);
    await settled();
    const [first, second, ...others] = events().sort((a, b) => a.type.localeCompare(b.type));
    expect(others).toEqual([]);
    expect(first).toMatchObject({ type: 'subscriber.created', data: { ...created.body, via: 'api' } });
    expect(second).toMatchObject({
      type: 'subscriber.unsubscribed',
      data: { email: recipient(), firstName: 'Ada L.', status: 'unsubscribed', via: 'api' },
    });
  });
});

describe('an event', () => {
  it('goes with the same body to each subscription of its type, and to no other workspace', async () => {
    const stranger = await newWorkspace(service);
    await call({ baseUrl: service.baseUrl, apiKey: stranger.apiKey }, 'POST', '/api/v1/webhooks', {
      body: { url: receiver.url, events: ['email.delivered'] },
    });
    await subscribe('email.delivered');
    await subscribe('email.delivered', 'email.opened');
    await subscribe('email.bounced');
    await send({ to: recipient() });
    await arrived(2);
    await settled();
    const [first, second, ...others] = receiver.requests;
    expect(others).toEqual([]);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['service-signature']).not.toBe(first?.headers['service-signature']);
  });
});
