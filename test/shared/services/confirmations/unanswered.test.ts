import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { startProvider, type TestProvider } from '../../platform/aws/provider.ts';
import { storedItems } from '../../store/tableItems.ts';
import { operatorContext, personContext } from '../context.ts';
import { startQueuesAndTable } from '../queuesAndTable.ts';

let engines: Awaited<ReturnType<typeof startQueuesAndTable>>;
let provider: TestProvider;
let verbs: Awaited<ReturnType<typeof load>>;
let workspaceId: string;
let asked = 0;

const begin = new Date();
const hours = (count: number) => new Date(begin.getTime() + count * 3_600_000);
const days = (count: number) => hours(count * 24);

const load = async () => ({
  ...(await import('../../../../shared/services/confirmations/askForConsent.ts')),
  ...(await import('../../../../shared/services/confirmations/confirmByLink.ts')),
  ...(await import('../../../../shared/services/confirmations/decline.ts')),
  ...(await import('../../../../shared/services/confirmations/sendConfirmation.ts')),
  ...(await import('../../../../shared/services/subscribers/saveSubscriber.ts')),
  ...(await import('../../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../../shared/store/person/people.ts')),
  ...(await import('../../../../shared/store/table/table.ts')),
  ...(await import('../../../../shared/store/workspace/workspaces.ts')),
});

beforeAll(async () => {
  provider = await startProvider((_request, response) => {
    asked += 1;
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ MessageId: `message-${asked}` }));
  });
  engines = await startQueuesAndTable();
  const secretFile = join(engines.folder, 'secret.json');
  writeFileSync(secretFile, JSON.stringify({ current: 'unanswered-0123456789abcdef0123456789' }));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SESV2: provider.endpoint,
    CONFIGURATION_SET: 'mail',
    PUBLIC_URL: 'https://mail.example.com',
    SERVICE_SECRET_FILE: secretFile,
    CONFIRMATION_QUEUE_URL: engines.queues.confirmation?.url ?? '',
    WEBHOOK_DELIVERY_QUEUE_URL: engines.queues['webhook-delivery']?.url ?? '',
  });
  verbs = await load();
  workspaceId = await workspace();
});
afterAll(async () => {
  verbs.documents.destroy();
  await Promise.all([engines.stop(), provider.stop()]);
});

async function workspace(): Promise<string> {
  const { id } = await verbs.createWorkspace(operatorContext(), { name: 'Test', plan: 'free', language: 'en' });
  await verbs.putDomain(id, 'example.com', begin, begin);
  await verbs.putSenders(id, [{ email: 'hello@example.com', name: null, default: true }], begin);
  return id;
}

/** How many messages the queue of confirmations has got so far. */
async function queued(): Promise<number> {
  const QueueUrl = engines.queues.confirmation?.url;
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] });
  return Number((await engines.sqs.send(command)).Attributes?.ApproximateNumberOfMessages);
}

/** How many messages leave while `act` runs. */
async function sentBy(act: () => Promise<unknown>): Promise<number> {
  const before = asked;
  await act();
  return asked - before;
}

const byForm = (email: string, at: Date, own = workspaceId) => {
  const names = { firstName: null, lastName: null };
  return verbs.askForConsent({ workspaceId: own, email, ...names, askedAt: at.toISOString() }, at);
};

async function byKey(email: string, at: Date) {
  const save = {
    workspaceId,
    email,
    values: {},
    doubleOptIn: true,
    via: 'api',
    claim: { how: 'api', by: 'key_1' },
  } as const;
  const { subscriber } = await verbs.saveSubscriber(save, at);
  await verbs.sendConfirmation(workspaceId, email, at);
  return subscriber.status;
}

const personOf = async (email: string, own = workspaceId) => (await verbs.getAddress(own, email)).person;
const tokenOf = async (email: string) => `${(await personOf(email)).confirmation?.id}.${workspaceId.slice(3)}`;

describe('three confirmations without an answer', () => {
  it('are the last for 180 days, by the form and by keys, and the person stays pending', async () => {
    const email = 'ada@people.example';
    for (const at of [0, 2]) expect(await sentBy(() => byForm(email, hours(at)))).toBe(1);
    expect(await sentBy(() => byKey(email, hours(4)))).toBe(1);
    expect(await sentBy(() => byForm(email, hours(6)))).toBe(0);
    expect(await sentBy(() => byKey(email, hours(8)))).toBe(0);
    expect(await byKey(email, days(100))).toBe('pending');
    expect(await sentBy(() => byForm(email, days(179)))).toBe(0);
    expect(await personOf(email)).toMatchObject({ subscriber: { status: 'pending' }, confirmation: { dueAt: null } });
    // DynamoDB deletes an expired item later, so it is still there.
    expect(await sentBy(() => byForm(email, days(181)))).toBe(1);
  });

  it('leave the link of the last one as it is', async () => {
    const email = 'link@people.example';
    for (const at of [0, 2, 4, 6]) await byForm(email, hours(at));
    const { confirmSubscriber } = verbs;
    expect(await confirmSubscriber(personContext(hours(7)), { token: await tokenOf(email) })).toMatchObject({
      outcome: 'confirmed',
    });
  });

  it('are counted per mailbox, whatever tag its address has, in one workspace', async () => {
    const sent = await sentBy(async () => {
      for (const tag of [1, 2, 3, 4, 5]) await byForm(`victim+${tag}@people.example`, hours(0));
    });
    expect(sent).toBe(3);
    const dotted = await sentBy(async () => {
      for (const name of ['v.ictim', 'vi.ctim', 'vic.tim', 'vict.im']) await byForm(`${name}@gmail.com`, hours(0));
    });
    expect(dotted).toBe(3);
    const other = await workspace();
    expect(await sentBy(() => byForm('victim+9@people.example', hours(0), other))).toBe(1);
  });

  it('count at once, when they are requested side by side', async () => {
    const tags = Array.from({ length: 8 }, (_, tag) => tag);
    const sent = await sentBy(() => Promise.all(tags.map((tag) => byForm(`crowd+${tag}@people.example`, hours(0)))));
    expect(sent).toBe(3);
  });

  it('are counted from zero after an answer', async () => {
    const email = 'answers@people.example';
    for (const at of [0, 2]) await byForm(email, hours(at));
    await verbs.confirmSubscriber(personContext(hours(3)), { token: await tokenOf(email) });
    expect(await sentBy(() => byForm('answers+1@people.example', hours(4)))).toBe(1);
    expect(await sentBy(() => byForm('answers+2@people.example', hours(4)))).toBe(1);
    expect(await sentBy(() => byForm('answers+3@people.example', hours(4)))).toBe(1);
  });

  it('leave a keyed hash and no address', async () => {
    const items = (await storedItems()).filter(({ pk }) => String(pk?.S).includes('#MAILBOX#'));
    expect(items.length).toBeGreaterThan(0);
    expect(JSON.stringify(items)).not.toContain('@');
    expect(items.every(({ expires_at }) => expires_at !== undefined)).toBe(true);
  });
});

describe('“this was not me”', () => {
  it('ends the request and blocks further ones, until the person uses a link that they requested', async () => {
    const email = 'notme@people.example';
    const at = (count: number) => personContext(hours(count));
    await byForm(email, hours(0));
    const token = await tokenOf(email);
    expect(await verbs.previewDecline(at(1), { token })).toMatchObject({ outcome: 'open', email });
    expect((await personOf(email)).confirmation).not.toBeNull();
    expect(await verbs.declineConfirmations(at(1), { token })).toMatchObject({ outcome: 'declined' });
    expect(await verbs.declineConfirmations(at(1), { token })).toMatchObject({ outcome: 'declined' });
    expect(await verbs.previewDecline(at(2), { token })).toMatchObject({ outcome: 'declined' });
    expect(await verbs.confirmSubscriber(at(2), { token })).toMatchObject({ outcome: 'refused' });

    for (const later of [hours(3), days(30), days(400)]) {
      expect(await sentBy(() => byForm(email, later))).toBe(0);
      expect(await sentBy(() => byKey('notme+tag@people.example', later))).toBe(0);
    }

    const request = { kind: 'return', workspaceId, email, askedAt: begin.toISOString() } as const;
    expect(await verbs.askToReturn(at(4), { token })).toMatchObject({ outcome: 'asked' });
    expect(await sentBy(() => verbs.sendReturnLink(request, hours(4)))).toBe(1);
    expect(await sentBy(() => verbs.sendReturnLink(request, hours(4)))).toBe(0);
    const links = (await storedItems()).filter(({ purpose }) => purpose?.S === 'return');
    expect(links).toHaveLength(1);
    const returning = `${String(links[0]?.pk?.S).split('#').at(-1)}.${workspaceId.slice(3)}`;
    expect(await verbs.confirmSubscriber(at(5), { token: returning })).toMatchObject({ outcome: 'tampered' });
    expect(await verbs.previewDecline(at(5), { token: returning })).toMatchObject({ outcome: 'returning' });
    expect(await sentBy(() => byForm(email, hours(5)))).toBe(0);
    const late = personContext(days(8));
    expect(await verbs.declineConfirmations(late, { token: returning })).toMatchObject({ outcome: 'expired' });
    expect(await verbs.declineConfirmations(at(6), { token: returning })).toMatchObject({ outcome: 'returned' });
    expect(await sentBy(() => byForm(email, hours(7)))).toBe(1);
    // Allowed already: nothing is sent.
    const again = { ...request, askedAt: days(1).toISOString() };
    expect(await sentBy(() => verbs.sendReturnLink(again, hours(8)))).toBe(0);
  });

  it('queues at most three requests a day for the link by which confirmations come again', async () => {
    const email = 'return@people.example';
    await byForm(email, hours(0));
    const token = await tokenOf(email);
    const noon = new Date(Math.floor(begin.getTime() / 86_400_000) * 86_400_000 + 43_200_000);
    await verbs.declineConfirmations(personContext(noon), { token });
    const before = await queued();
    for (const count of [1, 2, 3, 3]) {
      expect(await verbs.askToReturn(personContext(noon), { token })).toMatchObject({ outcome: 'asked' });
      expect(await queued()).toBe(before + count);
    }
    await verbs.askToReturn(personContext(new Date(noon.getTime() + 86_400_000)), { token });
    expect(await queued()).toBe(before + 4);
  });

  it('unsubscribes a person who was subscribed meanwhile', async () => {
    const email = 'meanwhile@people.example';
    await byForm(email, hours(0));
    const token = await tokenOf(email);
    await verbs.confirmSubscriber(personContext(hours(1)), { token });
    await verbs.declineConfirmations(personContext(hours(2)), { token });
    expect(await personOf(email)).toMatchObject({
      subscriber: { status: 'unsubscribed' },
      suppression: { reason: 'unsubscribe' },
    });
  });

  it('does nothing for a link that is not ours', async () => {
    const context = personContext(begin);
    for (const token of ['x', `${'a'.repeat(22)}.${workspaceId.slice(3)}`]) {
      for (const verb of [verbs.previewDecline, verbs.declineConfirmations, verbs.askToReturn]) {
        expect(await verb(context, { token })).toEqual({ outcome: 'tampered', workspace: null, email: null });
      }
    }
  });
});
