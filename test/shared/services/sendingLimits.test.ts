/** Limits (n and n + 1) and sequences of the verbs that need nothing but the table. */
import type { Context } from '../../../shared/services/context.ts';
import { startTestTable } from '../store/testTable.ts';
import { contextOf, operatorContext } from './context.ts';

const now = new Date('2026-06-15T12:00:00.000Z');

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [senders, domains, changeDomains, keys, templates, uploads, reputation, counts, workspaces] = await Promise.all(
    [
      import('../../../shared/services/senders.ts'),
      import('../../../shared/services/domains.ts'),
      import('../../../shared/services/changeDomains.ts'),
      import('../../../shared/services/keys.ts'),
      import('../../../shared/services/templates.ts'),
      import('../../../shared/services/uploads.ts'),
      import('../../../shared/services/reputation.ts'),
      import('../../../shared/services/usage.ts'),
      import('../../../shared/services/workspaces/workspaces.ts'),
    ],
  );
  const [tableModule, tableKeys, usage, store, days, transactions] = await Promise.all([
    import('../../../shared/store/table/table.ts'),
    import('../../../shared/store/table/keys.ts'),
    import('../../../shared/store/quota/months.ts'),
    import('../../../shared/store/workspace/workspaces.ts'),
    import('../../../shared/store/usage.ts'),
    import('../../../shared/store/table/transaction.ts'),
  ]);
  const verbs = { ...senders, ...domains, ...changeDomains, ...keys, ...templates, ...uploads, ...reputation };
  return {
    ...verbs,
    ...counts,
    ...workspaces,
    ...tableModule,
    ...tableKeys,
    ...usage,
    store,
    ...transactions,
    bounceOrComplaintPart: days.bounceOrComplaintPart,
  };
}

beforeAll(async () => {
  Object.assign(process.env, {
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    FILES_BUCKET: 'files',
    AWS_ENDPOINT_URL_S3: 'http://localhost:9',
  });
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

/** A workspace of its own, with the domain `example.com`, and contexts of its operator and of an application. */
async function newWorkspace() {
  const { id } = await modules.createWorkspace(operatorContext(), { name: 'Test', plan: 'free', language: 'en' });
  await modules.store.putDomain(id, 'example.com', now, now);
  const caller: Context = { ...contextOf(id), now };
  return { id, operator: operatorContext(id, now), caller };
}

async function put(key: object, attributes: object): Promise<void> {
  const { PutCommand } = await import('@aws-sdk/lib-dynamodb');
  await modules.documents.send(new PutCommand({ TableName: modules.tableName(), Item: { ...key, ...attributes } }));
}

describe('senders', () => {
  const defaults = async (operator: Context) =>
    (await modules.listSenders(operator)).filter((sender) => sender.default).map(({ email }) => email);

  it('have one default: the first, until another is made it, whatever is renamed', async () => {
    const { operator } = await newWorkspace();
    const add = (mailbox: string, makeDefault = false) => modules.addSender(operator, { mailbox, makeDefault });
    await add('A <a@example.com>');
    await add('B <b@example.com>');
    expect(await defaults(operator)).toEqual(['a@example.com']);
    await add('Ann <a@example.com>');
    await add('Bob <b@example.com>');
    expect(await defaults(operator)).toEqual(['a@example.com']);
    await add('b@example.com', true);
    expect(await defaults(operator)).toEqual(['b@example.com']);
    expect(await modules.listSenders(operator)).toHaveLength(2);
  });

  it('lose their default last, and the next first one is it again', async () => {
    const { operator } = await newWorkspace();
    for (const mailbox of ['a@example.com', 'b@example.com'])
      await modules.addSender(operator, { mailbox, makeDefault: false });
    const remove = (email: string) => modules.removeSender(operator, { email });
    await expect(remove('a@example.com')).rejects.toMatchObject({ code: 'conflict' });
    await remove('b@example.com');
    await expect(remove('b@example.com')).rejects.toMatchObject({ code: 'not_found' });
    await remove('a@example.com');
    await modules.addSender(operator, { mailbox: 'c@example.com', makeDefault: false });
    expect(await defaults(operator)).toEqual(['c@example.com']);
  });

  it('have one default whoever writes at the same time, and are 100 at most', async () => {
    const { operator } = await newWorkspace();
    const add = (mailbox: string, makeDefault: boolean) => modules.addSender(operator, { mailbox, makeDefault });
    await Promise.all([add('a@example.com', false), add('b@example.com', false)]);
    expect(await defaults(operator)).toHaveLength(1);
    await Promise.all([add('a@example.com', true), add('b@example.com', true)]);
    expect(await defaults(operator)).toHaveLength(1);
    for (let count = 3; count <= 100; count += 1) await add(`${count}@example.com`, false);
    await expect(add('more@example.com', false)).rejects.toMatchObject({ code: 'conflict' });
    await expect(add('Renamed <a@example.com>', false)).resolves.toMatchObject({ name: 'Renamed' });
  });

  it.each([
    ['a@example.com', true],
    ['a@mail.example.com', true],
    ['a@notexample.com', false],
    ['a@com', false],
    ['no address', false],
  ])('%s of a workspace with example.com: %s', async (mailbox, isAdded) => {
    const { operator } = await newWorkspace();
    const adding = modules.addSender(operator, { mailbox, makeDefault: false });
    if (isAdded) expect(await adding).toMatchObject({ email: mailbox });
    else await expect(adding).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('a domain', () => {
  it('is removed when none of its senders is left without one, and once', async () => {
    const { id, operator } = await newWorkspace();
    const remove = (name: string) => modules.removeDomain(operator, { name });
    await modules.store.putDomain(id, 'mail.example.com', now, now);
    await modules.addSender(operator, { mailbox: 'a@mail.example.com', makeDefault: false });
    await remove('mail.example.com');
    await expect(remove('mail.example.com')).rejects.toMatchObject({ code: 'not_found' });
    await expect(remove('example.com')).rejects.toMatchObject({ code: 'conflict' });
    await modules.removeSender(operator, { email: 'a@mail.example.com' });
    await remove('EXAMPLE.com ');
    expect(await modules.listDomains(operator)).toEqual([]);
  });

  it('is on exactly one page of the list, also when pages are exactly full', async () => {
    const { id, caller } = await newWorkspace();
    for (const name of ['c.example', 'a.example', 'b.example']) await modules.store.putDomain(id, name, null, now);
    const first = await modules.pageOfDomains(caller, { limit: 2, after: undefined });
    const second = await modules.pageOfDomains(caller, { limit: 2, after: first.next ?? '' });
    expect([...first.entries, ...second.entries].map((domain) => [domain.name, domain.verified])).toEqual([
      ['a.example', false],
      ['b.example', false],
      ['c.example', false],
      ['example.com', true],
    ]);
    expect(second.next).toBeNull();
  });
});

describe('a key', () => {
  it('keeps the first date of its revocation, and stays in the list', async () => {
    const { operator } = await newWorkspace();
    const [first, second] = [
      await modules.createKey(operator, { name: 'One', scopes: [] }),
      await modules.createKey({ ...operator, now: new Date(now.getTime() + 1000) }, { name: 'Two', scopes: [] }),
    ];
    const { revoked_at } = await modules.revokeKey(operator, { id: first.id });
    const later = { ...operator, now: new Date(now.getTime() + 60_000) };
    expect(await modules.revokeKey(later, { id: first.id })).toMatchObject({ revoked_at });
    expect((await modules.listKeys(operator)).map(({ id, revoked_at: at }) => [id, at])).toEqual([
      [first.id, now.toISOString()],
      [second.id, null],
    ]);
    await expect(modules.revokeKey(operator, { id: 'key_unknown' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('templates', () => {
  const input = { name: 'Receipt', subject: 'Hi {{name}}', html: '<p>Hi {{name}}</p>' };

  it('are 1,000 at most, and another is made when one is deleted', async () => {
    const { id, caller } = await newWorkspace();
    await put(modules.templateCountKey(id), { templates: 999 });
    const { id: last } = await modules.createTemplate(caller, input);
    const refusal = { code: 'validation_error', issues: [{ text: { en: expect.stringContaining('at most 1000') } }] };
    await expect(modules.createTemplate(caller, input)).rejects.toMatchObject(refusal);
    await modules.deleteTemplate(caller, { id: last });
    await expect(modules.deleteTemplate(caller, { id: last })).rejects.toMatchObject({ code: 'not_found' });
    await modules.createTemplate(caller, input);
    await expect(modules.createTemplate(caller, input)).rejects.toMatchObject(refusal);
  });

  it('get a version for new content alone, and keep each version', async () => {
    const { caller } = await newWorkspace();
    const { id } = await modules.createTemplate(caller, input);
    const update = async (change: object) => (await modules.updateTemplate(caller, { id, ...change })).version;
    expect(await update({ name: 'Invoice' })).toBe(1);
    expect(await update({ name: 'Invoice', subject: input.subject, html: input.html })).toBe(1);
    expect(await update({ html: '<p>Hello {{name}}</p>' })).toBe(2);
    expect(await update({ html: input.html })).toBe(3);
    const get = (version?: number) => modules.getTemplate(caller, { id, version });
    expect(await get()).toMatchObject({ name: 'Invoice', version: 3, html: input.html });
    expect(await get(2)).toMatchObject({ version: 2, html: '<p>Hello {{name}}</p>' });
    await expect(get(4)).rejects.toMatchObject({ code: 'not_found' });
    await modules.deleteTemplate(caller, { id });
    await expect(get(1)).rejects.toMatchObject({ code: 'not_found' });
    await expect(update({ name: 'Again' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('have HTML or blocks: either takes the place of the other', async () => {
    const { caller } = await newWorkspace();
    const { id } = await modules.createTemplate(caller, { ...input, text: 'Hi' });
    const content = [{ type: 'paragraph' as const, text: 'Hi {{name}}' }];
    const blocks = await modules.updateTemplate(caller, { id, content, preheader: 'Soon' });
    expect(blocks).toMatchObject({ html: null, text: null, preheader: 'Soon', subject: input.subject });
    expect(blocks.content).toHaveLength(1);
    expect(await modules.updateTemplate(caller, { id, text: 'Hi' })).toMatchObject({
      html: null,
      text: 'Hi',
      content: null,
      preheader: null,
    });
  });
});

describe('uploads of a day', () => {
  const announce = (caller: Context, size: number) =>
    modules.createUpload(caller, {
      filename: 'a.pdf',
      size,
      content_type: undefined,
      checksum_sha256: undefined,
    });
  const dayKey = (id: string) => modules.uploadDayKey(id, '2026-06-15');
  const refusal = { code: 'rate_limit_exceeded', retryAfterSeconds: 12 * 3600 };

  it('are 10,000 files at most, until midnight', async () => {
    const { id, caller } = await newWorkspace();
    await put(dayKey(id), { announced: 9999, announced_bytes: 9999 });
    await announce(caller, 1);
    await expect(announce(caller, 1)).rejects.toMatchObject(refusal);
    await announce({ ...caller, now: new Date('2026-06-16T00:00:00.000Z') }, 1);
  });

  it('are 50 GB at most, to the byte', async () => {
    const { id, caller } = await newWorkspace();
    await put(dayKey(id), { announced: 1, announced_bytes: 49_999_999_900 });
    await expect(announce(caller, 101)).rejects.toMatchObject(refusal);
    await announce(caller, 100);
    await expect(announce(caller, 1)).rejects.toMatchObject(refusal);
  });
});

describe('reputation', () => {
  const count = async (id: string, date: string, { sent = 0, delivered = 0, bounced = 0 }) => {
    await put(modules.monthKey(id, date.slice(0, 7)), {
      [modules.daySentName(date)]: sent,
      [modules.dayDeliveredName(date)]: delivered,
    });
    if (bounced > 0) await modules.transact([modules.bounceOrComplaintPart(id, date, { bounced })]);
  };
  const suspends = async (id: string) => {
    const workspace = await modules.store.getWorkspace(id);
    return workspace && modules.suspendIfExceeded(workspace, now);
  };

  it('suspends above five percent, and not again for what was counted before sending was resumed', async () => {
    const { id, operator } = await newWorkspace();
    await count(id, '2026-06-15', { sent: 100, bounced: 5 });
    expect(await suspends(id)).toBe(false);
    await count(id, '2026-06-15', { sent: 100, bounced: 1 });
    expect(await suspends(id)).toBe(true);
    expect(await suspends(id)).toBe(true);
    expect(await modules.resumeSending(operator)).toMatchObject({ suspended: false, was_suspended: true });
    expect(await modules.resumeSending(operator)).toMatchObject({ suspended: false, was_suspended: false });
    expect(await suspends(id)).toBe(false);
    await count(id, '2026-06-15', { sent: 200, bounced: 5 });
    expect(await suspends(id)).toBe(false);
    await count(id, '2026-06-15', { sent: 200, bounced: 1 });
    expect(await suspends(id)).toBe(true);
  });

  it('counts thirty days, today included', async () => {
    const { id } = await newWorkspace();
    await count(id, '2026-05-16', { sent: 100, bounced: 6 });
    expect(await suspends(id)).toBe(false);
    await count(id, '2026-05-17', { sent: 100, bounced: 6 });
    expect(await suspends(id)).toBe(true);
  });

  it('is shown day by day, today last, days without mail included', async () => {
    const { id, operator } = await newWorkspace();
    await count(id, '2026-06-12', { sent: 9 });
    await count(id, '2026-06-15', { sent: 2, delivered: 1, bounced: 1 });
    const none = { sent: 0, delivered: 0, opened: 0, bounced: 0, complained: 0 };
    const usage = await modules.showUsage(operator, { days: 3 });
    expect(usage.days).toEqual([
      { ...none, date: '2026-06-13' },
      { ...none, date: '2026-06-14' },
      { ...none, date: '2026-06-15', sent: 2, delivered: 1, bounced: 1 },
    ]);
  });

  it('covers thirty days in the usage, however many days are asked for', async () => {
    const { id, operator } = await newWorkspace();
    await count(id, '2026-05-16', { sent: 1000, bounced: 9 });
    await count(id, '2026-05-17', { sent: 9, bounced: 1 });
    await put(modules.monthKey(id, '2026-06'), { used: 7, [modules.daySentName('2026-06-15')]: 1 });
    for (const days of [1, 30, 90]) {
      const usage = await modules.showUsage(operator, { days });
      expect(usage.days).toHaveLength(days);
      expect(usage.days.at(-1)).toMatchObject({ date: '2026-06-15', sent: 1 });
      expect(usage.quota).toEqual({ limit: expect.any(Number), used: 7, resets_at: '2026-07-01T00:00:00.000Z' });
      expect(usage.reputation).toEqual({ bounce_rate: 0.1, complaint_rate: 0, suspended: false });
    }
  });
});
