import { createId } from '../../../../shared/domain/identifier.ts';
import type { FeedbackEvent } from '../../../../shared/domain/sending/feedbackEvent.ts';
import { minuteOf } from '../../../../shared/domain/sending/settlement.ts';
import type { Email } from '../../../../shared/store/emails/email.ts';
import type { Item } from '../../../../shared/store/table/table.ts';
import { aroundCalls, aroundUnits } from '../../store/aroundCalls.ts';
import { startTestBucket } from '../../store/files/testBucket.ts';
import { startTestTable } from '../../store/testTable.ts';
import { operatorContext } from '../context.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let bucket: Awaited<ReturnType<typeof startTestBucket>>;
let modules: Awaited<ReturnType<typeof load>>;
let workspaceId = '';

async function load() {
  const [read, sent, emails, deliver, record, batch] = await Promise.all([
    import('../../../../shared/services/emails/readEmails.ts'),
    import('../../../../shared/services/sentMail.ts'),
    import('../../../../shared/store/emails/email.ts'),
    import('../../../../shared/services/emails/deliver.ts'),
    import('../../../../shared/services/feedback/recordFeedback.ts'),
    import('../../../../shared/services/feedback/batch.ts'),
  ]);
  const [copy, progress, parts, care, config, store, write, files, scan, workspaces, erase, xport, restored] =
    await Promise.all([
      import('../../../../shared/services/emails/copyWorkspace.ts'),
      import('../../../../shared/store/archive/progress.ts'),
      import('../../../../shared/store/archive/parts.ts'),
      import('../../../../shared/store/archive/partCare.ts'),
      import('../../../../shared/platform/config.ts'),
      import('../../../../shared/store/table/table.ts'),
      import('../../../../shared/store/table/batches.ts'),
      import('../../../../shared/store/files/bucket.ts'),
      import('../../../../shared/store/workspaceScan.ts'),
      import('../../../../shared/store/workspace/workspaces.ts'),
      import('../../../../shared/services/rights/erasePerson.ts'),
      import('../../../../shared/services/rights/exportPerson.ts'),
      import('../../../../shared/store/restored/formerTable.ts'),
    ]);
  return {
    ...{ ...read, ...sent, ...emails, ...deliver, ...record, ...batch, ...copy, ...progress, ...parts, ...care },
    ...{ ...config, ...store, ...write, ...files, ...scan, ...workspaces, ...erase, ...xport, ...restored },
    readEmails: read,
  };
}

/** The day of the emails. */
const start = new Date('2026-10-01T10:00:00.000Z');
const daysOn = (days: number, from = start): Date => new Date(from.getTime() + days * 86_400_000);
/** Copied, and still in the table. */
const copied = daysOn(25.7);
/** In the bucket alone. */
const cold = daysOn(40);

beforeAll(async () => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
  [table, bucket] = [await startTestTable(), await startTestBucket()];
  modules = await load();
  modules.takeSettings({ EMAIL_LIST: 'recipient-and-tag', UNCONFIRMED_DAYS: '30' });
  await modules.copiedSince(start);
});
afterAll(async () => {
  await table.stop();
  await bucket.stop();
});
beforeEach(async () => {
  workspaceId = createId('ws', new Date());
  await modules.putWorkspace({
    ...{ id: workspaceId, name: 'Acme', publicId: `p-${workspaceId}`, plan: 'growth', language: 'en' },
    createdAt: start.toISOString(),
  });
});

/** Sends and delivers an email at a time, as the send and the feedback worker record it. */
async function send(to: string | readonly string[], at: Date, over: Partial<Email> = {}): Promise<Email> {
  const addresses = [to].flat();
  const content = {
    from: 'Acme <hello@acme.com>',
    to: addresses,
    cc: [],
    bcc: [],
    replyTo: [],
    subject: 'Hi',
    tags: [],
  };
  const email: Email = {
    ...modules.newEmail({ workspaceId, emailId: createId('email', at), addresses, content, now: at }),
    ...over,
  };
  await modules.acceptEnvelope(email, 0, `message of ${email.id}`, minuteOf(at));
  await report(email, [accepted(addresses, at)], at);
  for (const address of addresses) await report(email, [delivered(address, at)], at);
  return email;
}

async function report(email: Email, events: readonly FeedbackEvent[], now: Date): Promise<void> {
  const batch = modules.openBatch(now);
  const until = email.keptUntil === undefined ? undefined : email.expiresAt;
  const origin = { kind: 'email', id: email.id, workspaceId, envelope: 0, minute: minuteOf(now), until } as const;
  const message = { id: `message of ${email.id}`, sentAt: now, subject: null, tags: [] };
  await modules.recordFeedback({ origin, message, events }, batch);
  await modules.closeBatch(batch, 1);
}

const accepted = (recipients: readonly string[], at: Date): FeedbackEvent => ({ type: 'accepted', recipients, at });
const delivered = (recipient: string, at: Date): FeedbackEvent => ({
  ...{ type: 'delivered', recipient, at, answer: `250 2.0.0 OK for ${recipient}` },
});
const complained = (recipient: string, at: Date): FeedbackEvent =>
  ({
    ...{ type: 'complained', recipient, at, byAccount: false, complaint: { feedbackType: 'abuse' } },
  }) as FeedbackEvent;
const bounced = (recipient: string, at: Date): FeedbackEvent => ({
  ...{ type: 'bounced', recipient, at, byAccount: false },
  bounce: { type: 'Permanent', subtype: 'General', diagnostic: 'smtp; 550 5.1.1 user unknown' },
});
const opened = (recipient: string, at: Date): FeedbackEvent => ({
  ...{ type: 'opened', recipient, at, occurrence: at.toISOString(), userAgent: 'Thunderbird/140.0', isBot: false },
});

/** What DynamoDB's time to live does. */
async function expire(now: Date): Promise<number> {
  const expired = (await storedItems()).filter((item) => Number(item.expires_at) <= now.getTime() / 1000);
  await modules.deleteItems(expired.map(modules.keyOfItem));
  return expired.length;
}

async function storedItems(): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of modules.scanWorkspace(workspaceId)) items.push(...page.items);
  return items;
}

const copy = (now = copied) => modules.copyWorkspace(workspaceId, now);
async function copyAndExpire(): Promise<void> {
  await copy();
  await expire(cold);
}

const detail = ({ id }: Pick<Email, 'id'>, now: Date) =>
  modules.readEmails.getEmail(operatorContext(workspaceId, now), { id });

type Query = Parameters<typeof modules.readEmails.listEmails>[1];
const list = (query: Partial<Query>, now: Date) =>
  modules.readEmails.listEmails(operatorContext(workspaceId, now), {
    ...{ limit: 50, after: undefined, recipient: undefined, status: undefined, tag: undefined },
    ...{ since: undefined, until: undefined },
    ...query,
  } as Query);

/** Every page of a list. */
async function allOf(query: Partial<Query>, now: Date): Promise<string[]> {
  const ids: string[] = [];
  let next: string | undefined;
  do {
    const page = await list({ ...query, after: next }, now);
    ids.push(...page.entries.map(({ id }) => id));
    next = page.next ?? undefined;
  } while (next !== undefined);
  return ids;
}

async function partsOf(): Promise<Awaited<ReturnType<typeof modules.rereadPart>>[]> {
  const parts = [];
  for await (const page of modules.pagesOfParts(workspaceId, { isStrong: true })) parts.push(...page);
  return parts;
}
const filesOf = () => modules.listFiles(`archive/${workspaceId}/`);
const second = (count: number): Date => new Date(start.getTime() + count * 1000);
const newestFirst = (emails: readonly Email[]): string[] => emails.map(({ id }) => id).reverse();

describe('an email', () => {
  it('reads the same in the table, in both, and in the bucket alone', async () => {
    const email = await send(['ada@example.net', 'Bob <bob@example.net>'], start, {
      tags: [{ name: 'kind', value: 'receipt' }],
    });
    await report(email, [opened('ada@example.net', second(60))], second(60));
    const before = await detail(email, start);
    expect(before.events).toHaveLength(5);
    await copy();
    expect(await detail(email, copied)).toEqual(before);
    expect(await expire(cold)).toBeGreaterThan(3);
    expect(await modules.itemsOfEmail(workspaceId, email.id)).toEqual([]);
    expect(await detail(email, cold)).toEqual(before);
  });

  it('is in the bucket from its 24th day on, and in the table for 35', async () => {
    const email = await send('ada@example.net', start);
    await copy(new Date('2026-10-24T23:59:59.000Z'));
    expect(await filesOf()).toEqual([]);
    await copy(new Date('2026-10-25T00:00:00.000Z'));
    expect(await filesOf()).toEqual([`archive/${workspaceId}/2026-10-01/${email.id}`]);
    await expire(daysOn(34.9));
    expect(await modules.itemsOfEmail(workspaceId, email.id)).toHaveLength(2);
    await expire(daysOn(35.1));
    expect((await modules.itemsOfEmail(workspaceId, email.id)).map(({ sk }) => sk)).toEqual([
      'RECIPIENT#ada@example.net',
    ]);
    // What expired and is not deleted yet is no whole email.
    expect((await detail(email, daysOn(35.1))).recipients).toMatchObject([{ status: 'delivered' }]);
  });

  it('that is unknown is not found, copied days or not', async () => {
    await send('ada@example.net', start);
    await copyAndExpire();
    for (const at of [start, second(-1), second(1), cold]) {
      await expect(detail({ id: createId('email', at) }, cold)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('of another workspace is not found', async () => {
    const email = await send('ada@example.net', start);
    await copyAndExpire();
    const other = operatorContext(createId('ws', new Date()), cold);
    await expect(modules.readEmails.getEmail(other, { id: email.id })).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each<[string, Record<string, string>, Partial<Email>]>([
    ['without a list of emails', { EMAIL_LIST: 'none' }, {}],
    ['kept for no longer than it is in the table', { EMAIL_RETENTION_DAYS: '35' }, {}],
  ])('%s stays in the table', async (_, settings) => {
    modules.takeSettings({ EMAIL_LIST: 'recipient-and-tag', UNCONFIRMED_DAYS: '30', ...settings });
    const email = await send('ada@example.net', start);
    modules.takeSettings({ EMAIL_LIST: 'recipient-and-tag', UNCONFIRMED_DAYS: '30' });
    expect(email.keptUntil).toBeUndefined();
    await copy();
    expect(await filesOf()).toEqual([]);
    const kept = new Date(email.expiresAt * 1000 - 1000);
    await expire(kept);
    expect(await detail(email, kept)).toMatchObject({ id: email.id, status: 'delivered' });
  });

  it('that is sent later than its id says stays in the table, and so do outcomes of its first attempt', async () => {
    const content = {
      from: 'a@acme.com',
      to: ['ada@example.net'],
      cc: [],
      bcc: [],
      replyTo: [],
      subject: 's',
      tags: [],
    };
    const outgoing = { workspaceId, emailId: createId('email', start), addresses: ['ada@example.net'], content };
    const first = modules.newEmail({ ...outgoing, now: start });
    // The answer to the first attempt was lost; its event comes with the time of that attempt.
    await report(first, [delivered('ada@example.net', second(5))], second(5));
    const later = modules.newEmail({ ...outgoing, now: second(9) });
    expect(later.keptUntil).toBeUndefined();
    await modules.acceptEnvelope(later, 0, 'm', minuteOf(start));
    await copyAndExpire();
    expect(await filesOf()).toEqual([]);
    expect(await detail(first, cold)).toMatchObject({ status: 'delivered' });
  });
});

describe('a late report', () => {
  it('moves the status of an email that is copied, and of one that is in the bucket alone', async () => {
    const both = await send('ada@example.net', start);
    const alone = await send('bob@example.net', second(1));
    await copy();
    await report(both, [complained('ada@example.net', daysOn(26))], daysOn(26));
    await expire(cold);
    await report(alone, [bounced('bob@example.net', daysOn(41))], daysOn(41));
    await report(alone, [opened('bob@example.net', daysOn(42))], daysOn(42));
    await expire(daysOn(300));
    for (const [email, status, types] of [
      [both, 'complained', ['accepted', 'delivered', 'complained']],
      [alone, 'bounced', ['accepted', 'delivered', 'bounced', 'opened']],
    ] as const) {
      const read = await detail(email, daysOn(300));
      expect([read.status, read.recipients[0]?.status]).toEqual([status, status]);
      expect(read.events.map(({ type }) => type)).toEqual(types);
    }
    expect(await allOf({ status: 'bounced' }, daysOn(300))).toEqual([alone.id]);
    expect(await allOf({ status: 'complained' }, daysOn(300))).toEqual([both.id]);
    const listed = await list({}, daysOn(300));
    expect(listed.entries.map(({ status }) => status)).toEqual(['bounced', 'complained']);
  });

  it('that an email was delivered, after it complained, changes nothing', async () => {
    const email = await send('ada@example.net', start);
    await report(email, [complained('ada@example.net', second(60))], second(60));
    await copyAndExpire();
    const before = await detail(email, cold);
    await report(email, [delivered('ada@example.net', daysOn(41))], daysOn(41));
    expect(await detail(email, daysOn(41))).toEqual(before);
  });

  it('of an email’s acceptance keeps it in the table, with the outcomes that are copied', async () => {
    const email = await send('ada@example.net', start);
    await send('bob@example.net', second(1));
    await copy();
    await report(email, [accepted(email.to, daysOn(26))], daysOn(26));
    await modules.acceptEnvelope({ ...email, expiresAt: email.keptUntil ?? 0 }, 1, 'second', minuteOf(start));
    await expire(cold);
    expect(await modules.itemsOfEmail(workspaceId, email.id)).toHaveLength(1);
    expect(await detail(email, cold)).toMatchObject({ status: 'delivered' });
  });
});

/** Emails of three days, two hours apart, to Ada and Bob in turn. */
async function sendDays(): Promise<Email[]> {
  const emails: Email[] = [];
  for (let index = 0; index < 24; index += 1) {
    const [to, tag] = index % 2 === 0 ? ['ada@example.net', 'odd'] : ['bob@example.net', 'even'];
    emails.push(await send(to, second(index * 7200), { tags: [{ name: 'kind', value: tag }] }));
  }
  return emails;
}

describe('a list', () => {
  const own = (emails: readonly Email[], to: string): string[] =>
    newestFirst(emails.filter((email) => email.to.includes(to)));

  it.each([1, 3, 50])('goes on from the table into the bucket, in pages of %s', async (limit) => {
    const emails = await sendDays();
    // The first day is in the bucket alone, the second in both, the third in the table alone.
    const now = daysOn(35.7);
    await copy(new Date('2026-10-26T12:00:00.000Z'));
    await expire(now);
    const recent = await send('ada@example.net', daysOn(30));
    const all = [...emails, recent];
    expect(await filesOf()).toHaveLength(2);
    expect((await modules.itemsOfEmail(workspaceId, emails[0]?.id ?? '')).some(modules.isEmailItem)).toBe(false);
    expect(await allOf({ limit }, now)).toEqual(newestFirst(all));
    expect(await allOf({ limit, recipient: 'ada@example.net' }, now)).toEqual(own(all, 'ada@example.net'));
    expect(await allOf({ limit, tag: 'kind:even' }, now)).toEqual(own(all, 'bob@example.net'));
    const bounds = { since: emails[3]?.createdAt, until: emails[20]?.createdAt };
    expect(await allOf({ limit, ...bounds } as never, now)).toEqual(newestFirst(emails.slice(3, 20)));
    expect(await allOf({ limit, recipient: 'bob@example.net', ...bounds } as never, now)).toEqual(
      own(emails.slice(3, 20), 'bob@example.net'),
    );
    expect(await allOf({ limit, recipient: 'eve@example.net' }, now)).toEqual([]);
    const sent = await modules.listSentMail(operatorContext(workspaceId, now), {
      ...{ limit: 50, recipient: 'ada@example.net', after: undefined, status: undefined, tag: undefined },
      ...{ since: undefined, until: undefined },
    } as never);
    expect(sent.entries.map((entry) => (entry.object === 'email' ? entry.id : null))).toEqual(
      own(all, 'ada@example.net'),
    );
  });

  it('shows an email as it was shown before', async () => {
    await sendDays();
    const { entries } = await list({}, start);
    await copyAndExpire();
    expect((await list({}, cold)).entries).toEqual(entries);
  });

  it('of bounces leads to emails in the bucket', async () => {
    const emails = [await send('ada@example.net', start), await send('bob@example.net', second(1))];
    for (const email of emails) await report(email, [bounced(email.to[0] ?? '', second(9))], second(9));
    const { entries } = await list({ status: 'bounced' }, start);
    await copyAndExpire();
    expect((await list({ status: 'bounced' }, cold)).entries).toEqual(entries);
    expect(await allOf({ status: 'bounced', limit: 1 }, cold)).toEqual(newestFirst(emails));
  });

  it('reads no file for a person who got nothing, and few for a page', async () => {
    await sendDays();
    await copyAndExpire();
    let reads = 0;
    const stop = aroundUnits(modules.documents, (_, units) => {
      reads += units;
    });
    expect(await allOf({ recipient: 'eve@example.net' }, cold)).toEqual([]);
    stop();
    expect(reads).toBeLessThanOrEqual(4);
  });
});

describe('the copying', () => {
  /** Every call that changes something, of table and bucket, in order; `failing` ends the run before one of them. */
  async function copyUntil(failing: number): Promise<'done' | 'killed'> {
    let writes = 0;
    const stop = aroundCalls(modules.documents, (next) => async (call) => {
      if (!/Query|Get/.test(call.operation)) {
        writes += 1;
        if (writes === failing) throw new Error('killed');
      }
      return next(call);
    });
    try {
      await copy();
      return 'done';
    } catch (error) {
      if ((error as Error).message !== 'killed') throw error;
      return 'killed';
    } finally {
      stop();
    }
  }

  it('loses nothing and doubles nothing wherever it is killed', async () => {
    const emails = await sendDays();
    const before = await Promise.all(emails.map((email) => detail(email, start)));
    let kills = 0;
    for (let failing = 1; (await copyUntil(failing)) === 'killed'; failing += 1) {
      kills += 1;
      expect(await allOf({}, copied)).toEqual(newestFirst(emails));
      expect(await Promise.all(emails.map((email) => detail(email, copied)))).toEqual(before);
    }
    expect(kills).toBeGreaterThan(6);
    await expire(cold);
    expect(await allOf({}, cold)).toEqual(newestFirst(emails));
    expect(await Promise.all(emails.map((email) => detail(email, cold)))).toEqual(before);
  });

  it('by several at once is done once, and by one after the other nothing is done again', async () => {
    const emails = await sendDays();
    await Promise.all([copy(), copy(), copy()]);
    await copy();
    const parts = await partsOf();
    expect(parts.map((part) => [part?.state, part?.emails, part?.revision])).toEqual([
      ['kept', 7, 1],
      ['kept', 12, 1],
      ['kept', 5, 1],
    ]);
    await expire(cold);
    expect(await allOf({}, cold)).toEqual(newestFirst(emails));
  });

  it('by two that both believe to be alone keeps one file, with everything', async () => {
    const emails = await sendDays();
    const { copyNext } = await import('../../../../shared/store/archive/copyEmails.ts');
    const end = copied.toISOString();
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => copyNext(workspaceId, start.toISOString(), end, copied)),
    );
    const through = await copyNext(workspaceId, start.toISOString(), end, copied);
    expect(through).toBe(`${emails[6]?.createdAt}#${emails[6]?.id}`);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ name: 'CopyInterrupted' });
    }
    await copyAndExpire();
    expect(await allOf({}, cold)).toEqual(newestFirst(emails));
  });

  it('gives emails more time while the bucket cannot be reached, and catches up', async () => {
    const emails = await sendDays();
    const settings = { EMAIL_LIST: 'recipient-and-tag', UNCONFIRMED_DAYS: '30' };
    modules.takeSettings({ ...settings, AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9' });
    for (const day of [24, 27, 31, 34, 38, 41, 47]) {
      await expect(copy(daysOn(day))).rejects.toThrow();
      await expire(daysOn(day));
    }
    modules.takeSettings(settings);
    for (const query of [{}, { recipient: 'ada@example.net' }, { tag: 'kind:even' }]) {
      expect((await allOf(query, daysOn(48))).length).toBe('tag' in query || 'recipient' in query ? 12 : 24);
    }
    expect(await detail(emails[0] as Email, daysOn(48))).toMatchObject({ status: 'delivered' });
    await copy(daysOn(48));
    await expire(daysOn(80));
    expect(await modules.itemsOfEmail(workspaceId, emails[0]?.id ?? '')).toEqual([]);
    expect(await allOf({}, daysOn(80))).toEqual(newestFirst(emails));
    expect(await detail(emails[0] as Email, daysOn(80))).toMatchObject({ status: 'delivered' });
  });

  it('loses nothing when it stands still for eleven days', async () => {
    const emails = await sendDays();
    await expire(daysOn(34));
    await copy(daysOn(34));
    await expire(daysOn(60));
    expect(await allOf({}, daysOn(60))).toEqual(newestFirst(emails));
  });

  it('takes one write and two read units an email at most, and nothing to delete it', async () => {
    for (let index = 0; index < 40; index += 1) await send(`p${index}@example.net`, second(index));
    const units = { read: 0, write: 0 };
    const stop = aroundUnits(modules.documents, ({ operation }, consumed) => {
      units[/Query|Get/.test(operation) ? 'read' : 'write'] += consumed;
    });
    await copy();
    stop();
    expect(units.read).toBeLessThan(40 * 1.3);
    expect(units.write).toBeLessThan(10);
  });
});

describe('the end of an email', () => {
  it('comes when its time is over, for its copy too', async () => {
    const email = await send('ada@example.net', start);
    await send('ada@example.net', daysOn(1));
    await copyAndExpire();
    await expect(detail(email, daysOn(364.9))).resolves.toMatchObject({ id: email.id });
    await expect(detail(email, daysOn(365.1))).rejects.toMatchObject({ code: 'not_found' });
    expect(await allOf({}, daysOn(365.1))).toHaveLength(1);
    expect(await filesOf()).toHaveLength(2);
    await copy(daysOn(365.1));
    expect(await filesOf()).toHaveLength(1);
    await copy(daysOn(367));
    expect([await filesOf(), await partsOf()]).toEqual([[], []]);
  });

  it('comes with the end of its workspace', async () => {
    await send('ada@example.net', start);
    await copyAndExpire();
    let next: Parameters<typeof modules.deletePage>[1] = null;
    do ({ next } = await modules.deletePage(workspaceId, next));
    while (next);
    while ((await modules.eraseFiles(workspaceId)) > 0);
    expect([await filesOf(), await partsOf()]).toEqual([[], []]);
  });
});

const textOf = async (email: string, now: Date): Promise<string> => {
  let text = '';
  for await (const piece of modules.exportPerson(operatorContext(workspaceId, now), { email })) text += piece.text;
  return text;
};

interface Exported {
  readonly records: readonly { readonly object: string; readonly id: string; readonly status: string }[];
}
const exportOf = async (email: string, now: Date): Promise<Exported> =>
  JSON.parse(await textOf(email, now)) as Exported;

describe('the export of a person', () => {
  it('has every email once, wherever it is, and none of another person', async () => {
    const emails = await sendDays();
    const own = emails.filter((email) => email.to.includes('ada@example.net')).map(({ id }) => id);
    const idsIn = async (now: Date) =>
      (await exportOf('ada@example.net', now)).records
        .flatMap(({ object, id }) => (object === 'email' ? [id] : []))
        .sort();
    const before = (await exportOf('ada@example.net', start)).records.filter(({ object }) => object === 'email');
    await copy(new Date('2026-10-26T12:00:00.000Z'));
    expect(await idsIn(copied)).toEqual(own);
    await expire(daysOn(35.7));
    expect(await idsIn(daysOn(35.7))).toEqual(own);
    await copyAndExpire();
    expect(await idsIn(cold)).toEqual(own);
    const text = await textOf('ada@example.net', cold);
    expect(text).not.toContain('bob@');
    const afterwards = (await exportOf('ada@example.net', cold)).records.filter(({ object }) => object === 'email');
    const byId = (records: Exported['records']) => [...records].sort((one, other) => (one.id < other.id ? -1 : 1));
    expect(byId(afterwards)).toEqual(byId(before));
  });
});

describe('the erasure of a person', () => {
  const bytesOfFiles = async (): Promise<string> => {
    const { linesOf } = await import('../../../../shared/store/archive/internal/partFile.ts');
    const files = await Promise.all((await filesOf()).map((key) => modules.getFile(key)));
    const lines = await Promise.all(files.map((file) => linesOf(file ?? new Uint8Array())));
    return JSON.stringify(lines.flat().map((line) => line.email().items.map((item) => JSON.stringify(item, asLists))));
  };
  const asLists = (_: string, value: unknown) => (value instanceof Set ? [...value] : value);
  const everything = async (): Promise<string> => {
    return JSON.stringify(await storedItems(), asLists) + (await bytesOfFiles());
  };
  const erase = (email: string, now = cold) => modules.erasePerson(operatorContext(workspaceId, now), { email });

  it('reaches copies, leaves others as they are, and finds the emails under the alias', async () => {
    const emails = await sendDays();
    const shared = await send(['ada@example.net', 'bob@example.net'], second(60), { subject: 'For ADA@example.net' });
    const named = await send('bob@example.net', second(61), { subject: 'Ask ada@example.net first' });
    const clicked = await send('bob@example.net', second(62));
    const url = 'https://shop.example/?who=ada%40example.net';
    const click = { type: 'clicked', recipient: 'bob@example.net', at: second(70), occurrence: url, url } as const;
    await report(clicked, [{ ...click, userAgent: 'Mozilla/5.0', isBot: false } as FeedbackEvent], second(70));
    await copyAndExpire();
    const bobs = await allOf({ recipient: 'bob@example.net' }, cold);
    const { alias, position, records } = await erase('ada@example.net');
    expect(position).toBeNull();
    expect(records).toBeGreaterThanOrEqual(12);
    expect(await everything()).not.toMatch(/ada(@|%40)example/i);
    expect(await allOf({ recipient: 'ada@example.net' }, cold)).toEqual([]);
    const erased = emails.filter((email) => email.to.includes('ada@example.net'));
    expect((await allOf({ recipient: alias }, cold)).sort()).toEqual([...erased, shared].map(({ id }) => id).sort());
    expect(await allOf({ recipient: 'bob@example.net' }, cold)).toEqual(bobs);
    expect((await detail(shared, cold)).recipients.map(({ email, status }) => [email, status])).toEqual(
      expect.arrayContaining([
        [alias, 'delivered'],
        ['bob@example.net', 'delivered'],
      ]),
    );
    expect((await detail(named, cold)).subject).toBe(`Ask ${alias} first`);
    expect((await detail(erased[0] as Email, cold)).subject).toBe('');
    // Again it changes nothing.
    expect((await erase('ada@example.net')).records).toBe(0);
  });

  it('of a local part that must be quoted reads every file', async () => {
    const quoted = '"ada,lovelace"@example.net';
    await send(quoted, start);
    await copyAndExpire();
    await erase(quoted);
    expect(await everything()).not.toContain('lovelace');
  });

  it('and another one at the same time both reach every copy', async () => {
    const people = ['ada', 'bob', 'eve', 'dan', 'kim'].map((name) => `${name}@example.net`);
    for (let index = 0; index < 20; index += 1) await send(people, second(index));
    await copyAndExpire();
    await Promise.all(people.map((email) => erase(email)));
    expect(await everything()).not.toMatch(/(ada|bob|eve|dan|kim)@example/);
    for (const part of await partsOf()) {
      expect(part && people.some((email) => modules.mayHoldPerson(part, email))).toBe(false);
    }
  });

  it('while emails are copied leaves no copy with the person, whichever write comes first', async () => {
    const { copyNext, CopyInterrupted } = await import('../../../../shared/store/archive/copyEmails.ts');
    const end = copied.toISOString();
    for (let turn = 0; turn < 12; turn += 1) {
      const own = `p${turn}@example.net`;
      workspaceId = createId('ws', new Date());
      for (let index = 0; index < 3; index += 1) await send([own, 'bob@example.net'], second(index));
      let calls = 0;
      let erasure: Promise<unknown> | undefined;
      // The copying stands still before one of its calls until the erasure is over.
      const stop = aroundCalls(modules.documents, (next) => async (call) => {
        calls += 1;
        if (calls - 1 === turn && !erasure) {
          erasure = erase(own, copied);
          await erasure;
        }
        return next(call);
      });
      let through: string | null = start.toISOString();
      while (through !== null && through < end) {
        try {
          through = await copyNext(workspaceId, through, end, copied);
        } catch (error) {
          if (!(error instanceof CopyInterrupted)) throw error;
        }
      }
      stop();
      await (erasure ?? erase(own, copied));
      expect(await everything()).not.toContain(own);
      await expire(cold);
      expect([turn, calls, (await allOf({}, cold)).length]).toEqual([turn, calls, 3]);
    }
  });

  it('is noticed by a late report, which names the alias', async () => {
    const email = await send('ada@example.net', start);
    await copyAndExpire();
    const { alias } = await erase('ada@example.net');
    await report(email, [complained('ada@example.net', daysOn(41))], daysOn(41));
    expect((await detail(email, daysOn(42))).recipients).toMatchObject([{ email: alias, status: 'complained' }]);
    expect(await everything()).not.toContain('ada@');
  });
});

describe('a restored table', () => {
  it('has emails that are copied once, and copies that it did not know', async () => {
    const emails = await sendDays();
    const items = await storedItems();
    await copyAndExpire();
    const before = await Promise.all(emails.map((email) => detail(email, cold)));
    // The table of before the copying: the parts are gone, and of half the emails only what had not expired is there.
    for (const part of await partsOf()) {
      if (part) await modules.dropPart(part);
    }
    await modules.deleteItems([{ pk: `WS#${workspaceId}#ARCHIVE`, sk: 'STATE' }]);
    const halved = items.filter((item) => !emails.slice(0, 12).some(({ id }) => String(item.pk).includes(id)));
    await modules.putItems<Record<string, unknown>>(halved as never);
    await copy(cold);
    expect(await partsOf()).toHaveLength(3);
    expect(await allOf({}, cold)).toEqual(newestFirst(emails));
    await expire(daysOn(90));
    expect(await allOf({}, daysOn(90))).toEqual(newestFirst(emails));
    expect(await Promise.all(emails.map((email) => detail(email, cold)))).toEqual(before);
  });
});
