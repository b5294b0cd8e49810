import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { startDns } from '../outbound/testDns.ts';
import { operatorContext, personContext } from './context.ts';
import { startQueuesAndTable } from './queuesAndTable.ts';

let engines: Awaited<ReturnType<typeof startQueuesAndTable>>;
let modules: Awaited<ReturnType<typeof load>>;
let workspaceId: string;

const load = async () => ({
  ...(await import('../../../shared/platform/config.ts')),
  ...(await import('../../../shared/services/brand.ts')),
  ...(await import('../../../shared/services/confirmations/signUp.ts')),
  ...(await import('../../../shared/services/topics.ts')),
  ...(await import('../../../shared/services/operators/operators.ts')),
  ...(await import('../../../shared/services/preferences/preferences.ts')),
  ...(await import('../../../shared/services/signUpForm.ts')),
  ...(await import('../../../shared/services/subscribers/knownFields.ts')),
  ...(await import('../../../shared/services/subscribers/subscribers.ts')),
  ...(await import('../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../shared/store/operators.ts')),
  ...(await import('../../../shared/store/workspace/workspaces.ts')),
});

beforeAll(async () => {
  engines = await startQueuesAndTable();
  const secretFile = join(engines.folder, 'secret.json');
  writeFileSync(secretFile, JSON.stringify({ current: randomBytes(32).toString('base64url') }));
  Object.assign(process.env, {
    SERVICE_SECRET_FILE: secretFile,
    PUBLIC_URL: 'https://mail.example.com',
  });
  modules = await load();
  ({ id: workspaceId } = await modules.createWorkspace(operatorContext(), {
    name: 'Test',
    plan: 'growth',
    language: 'en',
  }));
  await modules.putSenders(workspaceId, [{ email: 'hello@shop.example', name: null, default: true }], new Date());
});
afterAll(() => engines.stop());

const context = () => operatorContext(workspaceId);
const refusedAt = (...paths: string[]) => ({ issues: paths.map((path) => expect.objectContaining({ path })) });

/** How many confirmations have been queued so far. */
async function queued(): Promise<number> {
  const QueueUrl = engines.queues.confirmation?.url;
  const AttributeNames = ['ApproximateNumberOfMessages'] as const;
  const { Attributes } = await engines.sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
  );
  return Number(Attributes?.ApproximateNumberOfMessages);
}

describe('sign-ups', () => {
  const today = new Date('2026-11-20T12:00:00Z');
  let networks = 0;
  /** Each sign-up from another network, so that only the limit of the address counts. */
  const signUp = (email: string, at = today) => {
    networks += 1;
    return modules.signUp(personContext(at), {
      workspaceId,
      email,
      source: `198.51.${networks}.1`,
      formText: { text: 'Subscribe to Test', language: 'en' },
    });
  };

  it('queue at most five messages a day for one address, and have the same outcome after that', async () => {
    const before = await queued();
    for (let count = 1; count <= 5; count += 1) {
      expect(await signUp('ada@people.example')).toEqual({ outcome: 'accepted' });
      expect(await queued()).toBe(before + count);
    }
    expect(await signUp('ADA@people.example')).toEqual({ outcome: 'accepted' });
    expect(await queued()).toBe(before + 5);
    await signUp('grace@people.example');
    expect(await queued()).toBe(before + 6);
    await signUp('ada@people.example', new Date(today.getTime() + 86_400_000));
    expect(await queued()).toBe(before + 7);
  });

  it('count the tags of an address as one mailbox', async () => {
    const before = await queued();
    const dotted = ['v.ictim+1@gmail.com', 'vi.ctim+2@gmail.com', 'vict.im@gmail.com'];
    for (const email of [...dotted, 'victim+3@gmail.com', 'victim@gmail.com', 'victim+4@gmail.com']) {
      expect(await signUp(email)).toEqual({ outcome: 'accepted' });
    }
    expect(await queued()).toBe(before + 5);
  });

  it('refuse domains of the list, and those that certainly take no mail, before anything is written', async () => {
    const before = await queued();
    const dns = await startDns();
    const refused = { outcome: 'invalid', issues: [expect.objectContaining({ path: 'email' })] };
    for (const domain of ['mailinator.com', 'box.mailinator.com', 'erased.invalid']) {
      expect(await signUp(`ada@${domain}`)).toEqual(refused);
    }
    expect(await signUp('ada@nothing.example')).toEqual({ outcome: 'accepted' });
    modules.takeSettings({ DNS_RESOLVER: dns.address, REFUSED_DOMAINS: 'invalid' });
    expect(await signUp('ada@nothing.example')).toEqual(refused);
    expect(await signUp('ada@null-mx.example')).toEqual(refused);
    for (const domain of ['mx.example', 'broken.example']) {
      expect(await signUp(`ada@${domain}`)).toEqual({ outcome: 'accepted' });
    }
    modules.takeSettings({});
    dns.stop();
    expect(await queued()).toBe(before + 3);
  });
});

describe('requests for stored data', () => {
  it('queue at most three messages a day for one address', async () => {
    const now = new Date('2026-11-20T12:00:00Z');
    const url = await modules.showUnsubscribeLink(context(), { email: 'data@people.example' });
    const token = url.split('/').at(-1) ?? '';
    const before = await queued();
    for (const count of [1, 2, 3, 3]) {
      expect(await modules.askForData(personContext(now), { token })).toMatchObject({ outcome: 'shown' });
      expect(await queued()).toBe(before + count);
    }
    await modules.askForData(personContext(new Date(now.getTime() + 86_400_000)), { token });
    expect(await queued()).toBe(before + 4);
  });
});

describe('kinds of mail', () => {
  const set = (tag: string, name = 'News') => modules.setTopic(context(), { tag, name });
  const all = async () => (await modules.listTopics(context())).entries;

  it('are at most 20, of which each can be renamed and replaced', async () => {
    for (let index = 1; index <= 20; index += 1) await set(`kind:${index}`);
    await expect(set('kind:21')).rejects.toMatchObject({ code: 'conflict' });
    expect(await set('kind:20', 'Offers')).toMatchObject({ tag: 'kind:20', name: 'Offers' });
    expect(await all()).toHaveLength(20);
    await modules.deleteTopic(context(), { id: 'kind:1' });
    await set('kind:21');
    await expect(set('kind:1')).rejects.toMatchObject({ code: 'conflict' });
    await expect(modules.deleteTopic(context(), { id: 'kind:1' })).rejects.toMatchObject({ code: 'not_found' });
    expect((await all()).slice(0, 2).map(({ tag }) => tag)).toEqual(['kind:21', 'kind:20']);
    for (const { tag } of await all()) await modules.deleteTopic(context(), { id: tag });
  });

  it('have names of 1 to 80 characters and tags of a name and a value', async () => {
    await set('category:a', 'é'.repeat(80));
    expect(await all()).toHaveLength(1);
    await expect(set('category:a', 'é'.repeat(81))).rejects.toMatchObject(refusedAt('name'));
    await expect(set('category:a', ' ')).rejects.toMatchObject(refusedAt('name'));
    await expect(set('category:a', 'two\nlines')).rejects.toMatchObject(refusedAt('name'));
    await set(`${'n'.repeat(256)}:${'v'.repeat(256)}`);
    await expect(set(`${'n'.repeat(257)}:v`)).rejects.toMatchObject(refusedAt('tag'));
    await expect(set('news', ' ')).rejects.toMatchObject(refusedAt('tag', 'name'));
    for (const { tag } of await all()) await modules.deleteTopic(context(), { id: tag });
  });
});

describe('choices of a person', () => {
  it('about a removed kind are kept by later choices, and apply again when the kind is offered again', async () => {
    const [news, offers] = ['category:news', 'category:offers'];
    await modules.setTopic(context(), { tag: news, name: 'News' });
    await modules.setTopic(context(), { tag: offers, name: 'Offers' });
    const url = await modules.showUnsubscribeLink(context(), { email: 'choosy@people.example' });
    const token = url.split('/').at(-1) ?? '';
    const choose = async (isUntracked: boolean, ...leftTags: string[]) => {
      const choices = { refused: { opens: isUntracked, clicks: isUntracked }, leftTags };
      return (await modules.changePreferences(personContext(), { token, choices })).preferences;
    };
    const [tracked, untracked] = (['unknown', 'denied'] as const).map((choice) => ({ opens: choice, clicks: choice }));
    expect(await choose(false, news)).toEqual({ ...tracked, leftTags: [news] });
    await modules.deleteTopic(context(), { id: news });
    expect(await choose(true, offers)).toEqual({ ...untracked, leftTags: [news, offers] });
    expect(await choose(false)).toEqual({ ...tracked, leftTags: [news] });
    // A tag that the workspace does not offer cannot be chosen.
    expect(await choose(false, 'category:unknown')).toEqual({ ...tracked, leftTags: [news] });
    await modules.setTopic(context(), { tag: news, name: 'News' });
    const { preferences } = await modules.previewPreferences(personContext(), { token });
    expect(preferences).toEqual({ ...tracked, leftTags: [news] });
    expect(await choose(false)).toEqual({ ...tracked, leftTags: [] });
    for (const tag of [news, offers]) await modules.deleteTopic(context(), { id: tag });
  });
});

describe('the sign-up form', () => {
  type Changes = Parameters<typeof modules.setForm>[1]['changes'];
  const set = (changes: Changes) => modules.setForm(context(), { changes });
  const field = (name: string, over: { label?: string; choices?: string[] } = {}) => ({
    name,
    label: 'Label',
    ...over,
  });
  const labels = (count: number, length = 3) =>
    Array.from({ length: count }, (_, index) => `${index}`.padEnd(length, 'x'));

  it('has a text of at most 500 characters', async () => {
    expect(await set({ text: 'é'.repeat(500) })).toMatchObject({ text: 'é'.repeat(500) });
    await expect(set({ text: 'é'.repeat(501) })).rejects.toMatchObject(refusedAt('text'));
    await expect(set({ text: ' \n' })).rejects.toMatchObject(refusedAt('text'));
    expect(await set({ text: null })).toMatchObject({ text: null });
  });

  it('asks at most 5 questions with labels of 60, and with 10 choices of 200 characters', async () => {
    const five = labels(5).map((name) => field(`f${name}`));
    expect((await set({ fields: five })).fields).toHaveLength(5);
    await expect(set({ fields: [...five, field('sixth')] })).rejects.toMatchObject(refusedAt('fields'));
    await set({ fields: [field('city', { label: 'L'.repeat(60), choices: labels(10, 200) })] });
    for (const wrong of [
      field('city', { label: 'L'.repeat(61) }),
      field('city', { label: '' }),
      field('city', { choices: labels(11) }),
      field('city', { choices: labels(1, 201) }),
      field('city', { choices: ['same', 'same'] }),
      field('two words'),
      field('n'.repeat(65)),
    ]) {
      await expect(set({ fields: [wrong] })).rejects.toMatchObject(refusedAt('fields[0]'));
    }
    await expect(set({ fields: [field('city'), field('city')] })).rejects.toMatchObject(refusedAt('fields[1]'));
  });

  it('keeps both of what two callers change at the same time', async () => {
    await set({ text: null, privacyUrl: null, language: null });
    const privacyUrl = 'https://shop.example/privacy';
    await Promise.all([set({ text: 'Both' }), set({ privacyUrl }), set({ language: 'fr' })]);
    expect(await modules.showForm(context())).toMatchObject({
      ...{ text: 'Both', privacy_url: privacyUrl, language: 'fr' },
    });
  });

  it('keeps what a change leaves out, resets what is null, and redirects to allowed origins only', async () => {
    const redirectUrl = 'https://shop.example/welcome';
    await expect(set({ redirectUrl })).rejects.toMatchObject(refusedAt('redirect'));
    await modules.allowFormOrigin(context(), { origin: 'https://shop.example' });
    await set({ text: 'Welcome', redirectUrl, privacyUrl: 'https://shop.example/privacy' });
    expect(await set({ privacyUrl: null })).toMatchObject({
      text: 'Welcome',
      redirect_url: redirectUrl,
      privacy_url: null,
      origins: ['https://shop.example'],
    });
    await modules.allowFormOrigin(context(), { origin: 'https://shop.example' });
    expect((await modules.showForm(context())).origins).toEqual(['https://shop.example']);
    expect((await modules.forbidFormOrigin(context(), { origin: 'https://shop.example' })).origins).toEqual([]);
    await expect(set({ redirectUrl })).rejects.toMatchObject(refusedAt('redirect'));
  });
});

describe('the logo', () => {
  it('has at most 24 KiB', async () => {
    const png = (bytes: number) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(bytes - 8)]);
    const set = (logo: Buffer | null) => modules.setBrand(context(), { changes: { logo } });
    expect(await set(png(24 * 1024))).toMatchObject({ logo: { content_type: 'image/png', size: 24 * 1024 } });
    await expect(set(png(24 * 1024 + 1))).rejects.toMatchObject(refusedAt('logo'));
    expect(await modules.setBrand(context(), { changes: { color: '#0b57b5' } })).toMatchObject({
      color: '#0b57b5',
      logo: { size: 24 * 1024 },
    });
    expect(await set(null)).toMatchObject({ color: '#0b57b5', logo: null });
  });
});

describe('operators', () => {
  const invite = (email: string) =>
    modules.inviteOperator(operatorContext(), { email, role: 'viewer', workspaceId: null });

  it('are at most 200; inviting one of them again is no further one', async () => {
    const invitedAt = new Date().toISOString();
    const stored = Array.from({ length: 199 }, (_, index) => ({
      id: `opr_${index}`,
      email: `operator${index}@acme.example`,
      role: 'viewer' as const,
      workspaceId: null,
      invitedAt,
      invitedBy: 'test',
    }));
    await Promise.all(stored.map((operator) => modules.putInvitation(operator)));
    await invite('last@acme.example');
    await expect(invite('beyond@acme.example')).rejects.toMatchObject({ code: 'conflict' });
    await invite('last@acme.example');
    await modules.removeOperator(operatorContext(), { email: 'last@acme.example' });
    await invite('beyond@acme.example');
    expect(await modules.listOperators(operatorContext())).toHaveLength(200);
  });

  it('cannot be changed, signed out or removed after they were removed', async () => {
    const email = 'beyond@acme.example';
    await modules.removeOperator(operatorContext(), { email });
    const gone = { code: 'not_found' };
    await expect(
      modules.changeOperator(operatorContext(), { email, role: 'owner', workspaceId: null }),
    ).rejects.toMatchObject(gone);
    await expect(modules.signOutOperator(operatorContext(), { email })).rejects.toMatchObject(gone);
    await expect(modules.removeOperator(operatorContext(), { email })).rejects.toMatchObject(gone);
  });
});

describe('custom fields', () => {
  const fields = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from + 1 }, (_, index) => [`field${from + index}`, 'x']));
  const upsert = (changes: Record<string, string | null>) =>
    modules.upsertSubscriber(context(), { email: 'fields@people.example', double_opt_in: false, fields: changes });

  it('are at most 50 in the stored subscriber, however many calls set them', async () => {
    await upsert(fields(1, 25));
    await upsert(fields(26, 50));
    await expect(upsert(fields(51, 51))).rejects.toMatchObject(refusedAt('fields'));
    const { output } = await upsert({ field1: 'other' });
    expect(Object.keys(output.fields)).toHaveLength(50);
    expect(output.fields.field1).toBe('other');
    expect((await modules.getSubscriber(context(), { email: 'fields@people.example' })).fields).toEqual(output.fields);
  });

  it('are proposed from the form, then from rules, then from the newest people, at most 60', async () => {
    await modules.setForm(context(), { changes: { fields: [{ name: 'city', label: 'City' }] } });
    const rules = Array.from({ length: 12 }, (_, index) => ({
      field: `rule${index}`,
      operator: 'equals' as const,
      value: 'x',
    }));
    const known = await modules.knownFields(context(), [{ all: rules }, null]);
    expect(known).toHaveLength(60);
    expect(known[0]).toEqual({ name: 'city', label: 'City' });
    expect(known.slice(1, 13).map(({ name }) => name)).toEqual(rules.map(({ field }) => field));
    expect(known[13]?.name).toMatch(/^field\d+$/);
    expect(new Set(known.map(({ name }) => name)).size).toBe(60);
  });
});

describe('a page of subscribers', () => {
  it('is cut before it exceeds 4 MB, and the next page continues after it', async () => {
    const { id } = await modules.createWorkspace(operatorContext(), { name: 'Large', plan: 'growth', language: 'en' });
    const fields = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field${index}`, 'x'.repeat(1000)]));
    const emails = Array.from({ length: 90 }, (_, index) => `large${index}@people.example`);
    await Promise.all(
      emails.map((email) => modules.upsertSubscriber(operatorContext(id), { email, double_opt_in: false, fields })),
    );
    const listed: string[] = [];
    const pages: number[] = [];
    let after: string | undefined;
    do {
      const page = await modules.listSubscribers(operatorContext(id), { limit: 100, after });
      listed.push(...page.entries.map(({ email }) => email));
      pages.push(Buffer.byteLength(JSON.stringify(page.entries)));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(pages.length).toBeGreaterThan(1);
    expect(Math.max(...pages)).toBeLessThanOrEqual(4_000_000);
    expect(pages[0]).toBeGreaterThan(3_900_000);
    expect(listed.sort()).toEqual(emails.sort());
  });
});
