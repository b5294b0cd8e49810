import { randomUUID } from 'node:crypto';
import { operatorContext, personContext } from '../../shared/services/context.ts';
import { call, eventually } from '../client.ts';
import { promisedEventOf, type Receiver, startReceiver } from '../receiver.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;
const api = (method: string, path: string, body?: object) =>
  call({ ...service, apiKey: workspace.apiKey }, method, path, body ? { body } : {});

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly email: string; readonly status: string; readonly via: string };
}

/** The events about an address, in the order of arrival. */
function eventsOf(email: string): Event[] {
  return receiver.requests
    .map((request) => promisedEventOf(request) as Event)
    .filter(({ data }) => data.email === email);
}

/** Waits until all earlier events have arrived, by waiting for a later one. */
async function settled(): Promise<void> {
  const last = someone();
  await api('POST', '/api/v1/subscribers', { email: last, double_opt_in: false });
  await eventually(async () => eventsOf(last).length > 0);
}

beforeAll(async () => {
  [service, receiver] = await Promise.all([sharedService(), startReceiver()]);
  workspace = await newWorkspace(service);
  const events = ['subscriber.created', 'subscriber.unsubscribed'];
  const created = await api('POST', '/api/v1/webhooks', { url: receiver.url, events });
  expect(created.status).toBe(201);
  Object.assign(process.env, service.environment);
});
afterAll(async () => {
  await receiver.stop();
  await service.stop();
});

describe('events of subscribers', () => {
  it('are emitted when the record is first stored, and on every change to unsubscribed, with the record and `via`', async () => {
    const email = someone();
    await api('POST', '/api/v1/subscribers', { email, firstName: 'Ada' });
    await api('POST', '/api/v1/subscribers', { email, firstName: 'Eve', double_opt_in: false });
    await eventually(async () => eventsOf(email).length === 1);
    const record = await api('DELETE', `/api/v1/subscribers/${email}`).then(() =>
      api('GET', `/api/v1/subscribers/${email}`),
    );
    await api('DELETE', `/api/v1/subscribers/${email}`);
    await eventually(async () => eventsOf(email).length === 2);
    await settled();
    expect(eventsOf(email)).toMatchObject([
      {
        type: 'subscriber.created',
        data: { object: 'subscriber', email, status: 'pending', firstName: 'Ada', via: 'api' },
      },
      { type: 'subscriber.unsubscribed', data: { ...record.body, via: 'api' } },
    ]);
  });

  it('name the form or the link that caused them', async () => {
    const email = someone();
    const [{ askForConsent }, { unsubscribeByLink }, { createLinkToken }, { confirmSubscriber }, { getAddress }] =
      await Promise.all([
        import('../../../shared/services/confirmations/askForConsent.ts'),
        import('../../../shared/services/preferences/unsubscribe.ts'),
        import('../../../shared/services/links.ts'),
        import('../../../shared/services/confirmations/confirmByLink.ts'),
        import('../../../shared/store/person/people.ts'),
      ]);
    const { workspaceId } = workspace;
    await askForConsent({ workspaceId, email, firstName: null, lastName: null }, new Date());
    const confirmationId = (await getAddress(workspaceId, email)).person.confirmation?.id;
    const confirm = await createLinkToken('confirm', { workspaceId, email, confirmationId }, new Date());
    expect((await confirmSubscriber(personContext(), { token: confirm })).outcome).toBe('confirmed');
    await eventually(async () => eventsOf(email).length === 1);
    const leave = await createLinkToken('unsubscribe', { workspaceId, email }, new Date());
    for (let n = 0; n < 3; n += 1) await unsubscribeByLink(personContext(), { token: leave });
    await eventually(async () => eventsOf(email).length === 2);
    await settled();
    expect(eventsOf(email).map(({ type, data }) => [type, data.via])).toEqual([
      ['subscriber.created', 'form'],
      ['subscriber.unsubscribed', 'link'],
    ]);
  });

  it('come once for a person who has left, whatever changes about them afterwards, and again after they return', async () => {
    const email = someone();
    const { workspaceId } = workspace;
    const [
      { askForConsent },
      { changePreferences, showUnsubscribeLink },
      { removeSuppression },
      { confirmSubscriber },
      links,
      people,
    ] = await Promise.all([
      import('../../../shared/services/confirmations/askForConsent.ts'),
      import('../../../shared/services/preferences/preferences.ts'),
      import('../../../shared/services/suppression.ts'),
      import('../../../shared/services/confirmations/confirmByLink.ts'),
      import('../../../shared/services/links.ts'),
      import('../../../shared/store/person/people.ts'),
    ]);
    const leave = () => api('DELETE', `/api/v1/subscribers/${email}`);
    await api('POST', '/api/v1/subscribers', { email, double_opt_in: false });
    await leave();
    const token = (await showUnsubscribeLink(operatorContext(workspaceId), { email })).split('/').at(-1) ?? '';
    await changePreferences(personContext(), {
      token,
      choices: { refused: { opens: true, clicks: true }, leftTags: [] },
    });
    await removeSuppression(operatorContext(workspaceId), { email });
    await leave();
    await askForConsent({ workspaceId, email, firstName: null, lastName: null }, new Date());
    await settled();
    expect(eventsOf(email).map(({ type }) => type)).toEqual(['subscriber.created', 'subscriber.unsubscribed']);

    const confirmationId = (await people.getAddress(workspaceId, email)).person.confirmation?.id;
    const confirm = await links.createLinkToken('confirm', { workspaceId, email, confirmationId }, new Date());
    expect((await confirmSubscriber(personContext(), { token: confirm })).outcome).toBe('confirmed');
    await leave();
    await eventually(async () => eventsOf(email).length === 3);
    expect(eventsOf(email).at(-1)).toMatchObject({ type: 'subscriber.unsubscribed', data: { status: 'unsubscribed' } });
  });

  it('are emitted once when many requests race for the same change', async () => {
    const email = someone();
    const body = { email, double_opt_in: false };
    await Promise.all(Array.from({ length: 20 }, () => api('POST', '/api/v1/subscribers', body)));
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 ? api('DELETE', `/api/v1/subscribers/${email}`) : api('POST', '/api/v1/suppression', { email }),
      ),
    );
    await eventually(async () => eventsOf(email).length >= 2);
    await settled();
    const events = eventsOf(email);
    expect(events.map(({ type }) => type).sort()).toEqual(['subscriber.created', 'subscriber.unsubscribed']);
    expect(new Set(events.map(({ id }) => id)).size).toBe(2);
  });

  it('are not emitted for an address that is only suppressed, nor for a bounce, which has its own event', async () => {
    const { suppress } = await import('../../../shared/services/suppression.ts');
    const [blocked, bounced] = [someone(), someone()];
    await api('POST', '/api/v1/suppression', { email: blocked });
    await api('POST', '/api/v1/subscribers', { email: bounced, double_opt_in: false });
    await suppress(workspace.workspaceId, bounced, 'bounce', new Date());
    await settled();
    expect([eventsOf(blocked).length, eventsOf(bounced).map(({ type }) => type)]).toEqual([0, ['subscriber.created']]);
  });
});

describe('all events of people', () => {
  const types = [
    'subscriber.created',
    'subscriber.confirmed',
    'subscriber.updated',
    'subscriber.unsubscribed',
    'subscriber.topics_updated',
    'suppression.added',
  ];
  let own: TestWorkspace;
  const ask = (method: string, path: string, body?: object) =>
    call({ ...service, apiKey: own.apiKey }, method, `/api/v1${path}`, body ? { body } : {});
  /** Waits for so many events about an address and, so that none comes after them, for those of a later person. */
  async function told(email: string, count: number) {
    await eventually(async () => eventsOf(email).length >= count);
    const last = someone();
    await ask('POST', '/subscribers', { email: last, double_opt_in: false });
    await eventually(async () => eventsOf(last).length > 0);
    const events = eventsOf(email);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    return events;
  }
  const named = (events: readonly Event[]) => events.map(({ type }) => type).sort();

  beforeAll(async () => {
    own = await newWorkspace(service);
    await ask('POST', '/webhooks', { url: receiver.url, events: types });
  });

  it('tell of each change of the record once, and of a repeated call nothing', async () => {
    const email = someone();
    for (let time = 0; time < 2; time += 1) await ask('POST', '/subscribers', { email, firstName: 'Ada' });
    for (let time = 0; time < 2; time += 1) await ask('POST', '/subscribers', { email, tags: ['vip'] });
    const confirmed = { email, double_opt_in: false, lastName: 'Lovelace' };
    for (let time = 0; time < 2; time += 1) await ask('POST', '/subscribers', confirmed);
    const events = await told(email, 4);
    expect(named(events)).toEqual([
      'subscriber.confirmed',
      'subscriber.created',
      'subscriber.updated',
      'subscriber.updated',
    ]);
    const last = events.find(({ type }) => type === 'subscriber.confirmed');
    expect(last?.data).toMatchObject({ status: 'subscribed', lastName: 'Lovelace', tags: ['vip'], via: 'api' });
  });

  it('tell of an address that is suppressed when it comes onto the list, with a subscriber or without', async () => {
    const [blocked, left, bounced] = [someone(), someone(), someone()];
    const { suppress } = await import('../../../shared/services/suppression.ts');
    for (let time = 0; time < 2; time += 1) await ask('POST', '/suppression', { email: blocked });
    // A reason that ranks higher is another reason, not another entry.
    await ask('POST', '/suppression', { email: blocked, reason: 'complaint' });
    await ask('POST', '/subscribers', { email: left, double_opt_in: false });
    for (let time = 0; time < 2; time += 1) await ask('DELETE', `/subscribers/${left}`);
    await ask('POST', '/subscribers', { email: bounced, double_opt_in: false });
    for (let time = 0; time < 2; time += 1) await suppress(own.workspaceId, bounced, 'bounce', new Date());
    const [first] = await told(blocked, 1);
    expect(first).toMatchObject({
      type: 'suppression.added',
      data: { object: 'suppression', email: blocked, reason: 'manual', scope: 'organization' },
    });
    expect(named(await told(blocked, 1))).toEqual(['suppression.added']);
    expect(named(await told(left, 3))).toEqual(['subscriber.created', 'subscriber.unsubscribed', 'suppression.added']);
    const events = await told(bounced, 3);
    expect(named(events)).toEqual(['subscriber.created', 'subscriber.updated', 'suppression.added']);
    expect(events.find(({ type }) => type === 'subscriber.updated')?.data).toMatchObject({
      status: 'bounced',
      via: 'feedback',
    });
  });

  it('name the topics that a person left or came back to', async () => {
    const email = someone();
    const topic = (await ask('POST', '/topics', { name: 'News' })).body;
    await ask('POST', '/subscribers', { email, double_opt_in: false });
    const left = { topics: [{ id: topic.id, subscription: 'opt_out' }] };
    for (let time = 0; time < 2; time += 1) await ask('PATCH', `/subscribers/${email}/preferences`, left);
    const { changePreferences, showUnsubscribeLink } = await import(
      '../../../shared/services/preferences/preferences.ts'
    );
    const link = await showUnsubscribeLink(operatorContext(own.workspaceId), { email });
    const token = link.split('/').at(-1) ?? '';
    const refused = { opens: true, clicks: true };
    await changePreferences(personContext(), { token, choices: { refused, leftTags: [] } });
    const events = await told(email, 3);
    const change = (subscription: string) => [{ id: topic.id, tag: topic.tag, subscription }];
    const about = events.filter(({ type }) => type === 'subscriber.topics_updated').map(({ data }) => data);
    expect(named(events)).toEqual(['subscriber.created', 'subscriber.topics_updated', 'subscriber.topics_updated']);
    expect(about).toContainEqual(expect.objectContaining({ email, via: 'api', topics: change('opt_out') }));
    expect(about).toContainEqual(expect.objectContaining({ email, via: 'link', topics: change('opt_in') }));
  });

  it('fit beside the longest person for twenty webhooks that listen to everything', async () => {
    own = await newWorkspace(service);
    const hooks: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      const hook = await ask('POST', '/webhooks', { url: receiver.url, events: types, enabled: false });
      hooks.push(hook.body.id);
    }
    const words = (letter: string, count: number) => Array.from({ length: count }, (_, n) => `${letter}${n}x`);
    const email = `${words('p', 12).join('.')}.${randomUUID().slice(0, 6)}@example.net`;
    const names = { firstName: words('f', 9).join(' '), lastName: words('l', 9).join(' ') };
    expect((await ask('POST', '/subscribers', { email, ...names, double_opt_in: false })).status).toBe(201);
    expect((await ask('DELETE', `/subscribers/${email}`)).status).toBe(200);
    for (const id of hooks) {
      const { data } = (await ask('GET', `/webhooks/${id}/deliveries`)).body;
      const told = data.map((delivery: { event_type: string }) => delivery.event_type).sort();
      expect(told).toEqual(['subscriber.created', 'subscriber.unsubscribed', 'suppression.added']);
    }
  });
});
