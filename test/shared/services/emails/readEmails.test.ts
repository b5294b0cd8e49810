import { createId } from '../../../../shared/domain/identifier.ts';
import type { EmailTrait } from '../../../../shared/domain/sending/email.ts';
import type { FeedbackEvent } from '../../../../shared/domain/sending/feedbackEvent.ts';
import { minuteOf } from '../../../../shared/domain/sending/settlement.ts';
import type { Email } from '../../../../shared/store/emails/email.ts';
import { aroundUnits } from '../../store/aroundCalls.ts';
import { startTestTable } from '../../store/testTable.ts';
import { contextOf } from '../context.ts';

type Kept = 'none' | 'newest' | 'recipient' | 'recipient-and-tag';

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;
let units = { read: 0, write: 0 };
let workspaces = 0;
let workspaceId = '';

async function load() {
  const [list, get, emails, record, batch, config, table, scheduled, days] = await Promise.all([
    import('../../../../shared/services/emails/readEmails.ts'),
    import('../../../../shared/services/emails/readEmails.ts'),
    import('../../../../shared/store/emails/email.ts'),
    import('../../../../shared/services/feedback/recordFeedback.ts'),
    import('../../../../shared/services/feedback/batch.ts'),
    import('../../../../shared/platform/config.ts'),
    import('../../../../shared/store/table/table.ts'),
    import('../../../../shared/store/emails/scheduledEmails.ts'),
    import('../../../../shared/store/usage.ts'),
  ]);
  return {
    ...{ listEmails: list.listEmails, getEmail: get.getEmail, acceptEnvelope: emails.acceptEnvelope },
    ...{ ...record, ...batch, ...config, ...table, ...scheduled, ...days },
  };
}

beforeAll(async () => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
  table = await startTestTable();
  modules = await load();
  aroundUnits(modules.documents, ({ operation }, consumed) => {
    units[/Query|Get/.test(operation) ? 'read' : 'write'] += consumed;
  });
});
afterAll(() => table.stop());
beforeEach(() => {
  keeping('recipient-and-tag');
  workspaces += 1;
  workspaceId = `ws_${workspaces}`;
});

const keeping = (EMAIL_LIST: Kept) => modules.takeSettings({ EMAIL_LIST });

async function unitsOf(work: () => Promise<unknown>) {
  units = { read: 0, write: 0 };
  await work();
  return units;
}

const start = Date.parse('2026-11-21T10:00:00.000Z');

function newEmail(second = 0, over: Partial<Email> = {}): Email {
  const now = new Date(start + second * 1000);
  const id = createId('email', now);
  const to = over.to ?? [`Ada <${id}@example.net>`];
  const addresses = to.map((entry) => /<(.*)>/.exec(entry)?.[1] ?? entry);
  return {
    ...{ workspaceId, id, from: 'a@example.com', to, cc: [], bcc: [], replyTo: [], subject: 's', tags: [] },
    ...{ envelopes: [addresses], createdAt: now.toISOString(), expiresAt: 9_999_999_999, isQuotaExempt: false },
    ...over,
  };
}

async function send(email: Email): Promise<Email> {
  await modules.acceptEnvelope(email, 0, `message of ${email.id}`, 1);
  await report(email, [{ type: 'accepted', recipients: [], at: new Date(0) }]);
  return email;
}

/** One batch of the feedback worker. */
async function report(email: Email, events: readonly FeedbackEvent[]): Promise<void> {
  const batch = modules.openBatch(new Date());
  const origin = {
    kind: 'email',
    id: email.id,
    workspaceId: email.workspaceId,
    envelope: 0,
    minute: minuteOf(new Date()),
  } as const;
  const message = { id: `message of ${email.id}`, sentAt: new Date(start), subject: null, tags: [] };
  await modules.recordFeedback({ origin, message, events }, batch);
  await modules.closeBatch(batch, 1);
}

const addressOf = ({ envelopes }: Email): string => envelopes[0]?.[0] ?? '';
const at = (second: number) => new Date(start + second * 1000);
const delivered = (email: Email, second = 1, answer: string | null = '250 OK'): FeedbackEvent => ({
  ...{ type: 'delivered', recipient: addressOf(email), at: at(second), answer },
});
const bounced = (email: Email, second = 2): FeedbackEvent => ({
  ...{ type: 'bounced', recipient: addressOf(email), at: at(second), byAccount: false },
  bounce: { type: 'Permanent', subtype: 'General', diagnostic: 'smtp; 550 5.1.1 user unknown' },
});
const opened = (email: Email, second: number, userAgent = 'Thunderbird/140.0'): FeedbackEvent => ({
  ...{
    type: 'opened',
    recipient: addressOf(email),
    at: at(second),
    occurrence: String(second),
    userAgent,
    isBot: false,
  },
});
const clicked = (recipient: string | null, second: number, url: string): FeedbackEvent => ({
  ...{ type: 'clicked', recipient, at: at(second), occurrence: url, userAgent: 'Mozilla/5.0', isBot: false, url },
});

const list = (query: Partial<Parameters<typeof modules.listEmails>[1]> = {}) =>
  modules.listEmails(contextOf(workspaceId) as never, {
    ...{ limit: 50, after: undefined, recipient: undefined, status: undefined, tag: undefined },
    ...{ since: undefined, until: undefined },
    ...query,
  });
const idsOf = async (query: Parameters<typeof list>[0]) => (await list(query)).entries.map(({ id }) => id);
const detail = ({ id }: Email) => modules.getEmail(contextOf(workspaceId) as never, { id });

describe('what a list costs', () => {
  const write = async (kept: Kept, email: Email) => {
    keeping(kept);
    return (await unitsOf(() => send(email))).write;
  };
  const tags = [{ name: 'category', value: 'receipt' }];

  it('is nothing without a list, a unit for the list of all, one more for each recipient, and one for each tag', async () => {
    expect(await write('none', newEmail(0, { tags }))).toBe(1);
    expect(await write('newest', newEmail(0, { tags }))).toBe(2);
    expect(await write('recipient', newEmail(0, { tags }))).toBe(3);
    expect(await write('recipient-and-tag', newEmail())).toBe(3);
    expect(await write('recipient-and-tag', newEmail(0, { tags }))).toBe(4);
  });

  it('is nothing for deliveries; opens are written where there is a list', async () => {
    const reported = async (kept: Kept, event: (email: Email) => FeedbackEvent) => {
      keeping(kept);
      const email = await send(newEmail());
      return (await unitsOf(() => report(email, [event(email)]))).write;
    };
    const long = (email: Email) => delivered(email, 1, 'x'.repeat(3000));
    for (const kept of ['none', 'recipient-and-tag'] as const) expect(await reported(kept, long)).toBe(1);
    expect(await reported('none', (email) => opened(email, 1))).toBe(0);
    // The other counts the day's first opens: one write for all of a batch.
    expect(await reported('newest', (email) => opened(email, 1))).toBe(2);
  });

  it('is a few read units a page, however many emails there are', async () => {
    for (let second = 0; second < 30; second += 1) await send(newEmail(second));
    const { read } = await unitsOf(() => list({ limit: 10 }));
    // The query of keys, then email and outcomes of each.
    expect(read).toBeLessThanOrEqual(0.5 + 10 * 0.5 + 10 * 0.5);
  });
});

describe('emails that are not sent yet', () => {
  const minute = 60_000;
  async function schedule(second: number) {
    const {
      envelopes: _,
      isQuotaExempt: __,
      workspaceId: own,
      id,
      createdAt,
      expiresAt,
      ...content
    } = newEmail(second);
    const scheduledAt = new Date(start + 60 * minute).toISOString();
    const rest = { scheduledAt, createdAt, updatedAt: createdAt, expiresAt, inDoubt: [], tries: 0 };
    await modules.addScheduled({ workspaceId: own, id, content, state: 'scheduled', ...rest }, due);
    return { workspaceId: own, id };
  }
  const due = { stage: 'far', at: new Date(start) } as const;
  async function cancel(position: { workspaceId: string; id: string }) {
    const seen = await modules.getScheduled(position);
    if (seen) await modules.endScheduled(seen, { reason: 'suppressed_recipient' }, new Date(start), due);
  }
  const pages = async (limit: number) => {
    const seen: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { entries, next }: Awaited<ReturnType<typeof list>> = await list({ limit, after: after ?? undefined });
      seen.push(...entries.map(({ id }) => id));
      after = next;
    }
    return seen;
  };

  it('are listed by their creation time, with their status, and are found by it', async () => {
    const [first, second, third] = [await send(newEmail(1)), await schedule(2), await schedule(3)];
    const fourth = await send(newEmail(4));
    await cancel(third);
    expect(await pages(1)).toEqual([fourth.id, third.id, second.id, first.id]);
    const { entries } = await list();
    expect(entries.map(({ status }) => status)).toEqual(['sent', 'canceled', 'scheduled', 'sent']);
    expect(entries[1]).toMatchObject({ cancel_reason: 'suppressed_recipient', scheduled_at: expect.any(String) });
    expect([await idsOf({ status: 'scheduled' }), await idsOf({ status: 'canceled' })]).toEqual([
      [second.id],
      [third.id],
    ]);
  });

  it('keep their position when they are sent, and are listed once at every moment', async () => {
    const emails = [await schedule(1), await schedule(2), await schedule(3)];
    const expected = emails.map(({ id }) => id).reverse();
    const middle = emails[1] ?? { workspaceId, id: '' };
    const scheduledAt = new Date(start + 60 * minute).toISOString();
    await modules.acceptEnvelope({ ...newEmail(2), id: middle.id, scheduledAt }, 0, 'message', 1);
    for (const limit of [1, 2, 3, 50]) expect(await pages(limit)).toEqual(expected);
    expect((await list()).entries[1]).toMatchObject({ status: 'sent', scheduled_at: scheduledAt });
    await modules.deleteScheduled(middle);
    expect(await pages(2)).toEqual(expected);
    expect(await idsOf({ status: 'scheduled' })).toEqual([expected[0], expected[2]]);
  });

  it('are in no list when the deployment keeps none', async () => {
    keeping('none');
    await cancel(await schedule(1));
    keeping('newest');
    expect([await idsOf({}), await idsOf({ status: 'canceled' })]).toEqual([[], []]);
  });

  it('cost half a read unit more each', async () => {
    for (let second = 0; second < 10; second += 1) await schedule(second);
    // Half a unit says that no more is in the bucket.
    expect((await unitsOf(() => list({ limit: 10 }))).read).toBeLessThanOrEqual(0.5 + 10 + 0.5);
    expect((await unitsOf(() => list({ limit: 10, status: 'scheduled' }))).read).toBeLessThanOrEqual(0.5 + 5);
  });
});

describe('GET /emails', () => {
  it('returns page after page, newest first, each email once', async () => {
    const sent: Email[] = [];
    for (let second = 0; second < 7; second += 1) sent.push(await send(newEmail(second)));
    const expected = sent.map(({ id }) => id).reverse();
    const seen: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { entries, next }: Awaited<ReturnType<typeof list>> = await list({ limit: 3, after: after ?? undefined });
      seen.push(...entries.map(({ id }) => id));
      after = next;
    }
    expect(seen).toEqual(expected);
    const times = { since: at(2).toISOString(), until: at(5).toISOString() };
    expect(await idsOf(times)).toEqual(expected.slice(2, 5));
    const { next } = await list({ ...times, limit: 2 });
    expect(await idsOf({ ...times, after: next ?? '' })).toEqual(expected.slice(4, 5));
    expect(await idsOf({ since: at(5).toISOString(), until: at(2).toISOString() })).toEqual([]);
  });

  it('shows the emails of its own workspace only', async () => {
    const other = await send(newEmail());
    workspaceId = `${workspaceId}_other`;
    const tags = [{ name: 'category', value: 'receipt' }];
    const email = await send(newEmail(3, { tags }));
    await report(email, [delivered(email)]);
    const { id, from, to } = email;
    expect((await list()).entries).toEqual([
      {
        ...{ id, object: 'email', from, to, cc: [], bcc: [], reply_to: [], subject: 's', tags, status: 'delivered' },
        ...{ created_at: at(3).toISOString(), updated_at: at(1).toISOString() },
      },
    ]);
    expect(await idsOf({ recipient: addressOf(other) })).toEqual([]);
  });

  it('finds by recipient (Cc and Bcc too), by tag and by status', async () => {
    const tags = [{ name: 'category', value: 'receipt' }];
    const many = Array.from({ length: 8 }, (_, index) => `p${index}@example.net`);
    const first = await send(newEmail(1, { to: ['P0@Example.net'], tags }));
    const second = await send(newEmail(2, { to: many }));
    const third = await send(newEmail(3, { tags: [{ name: 'category', value: 'receipts' }] }));
    await report(second, [bounced(second)]);
    expect(await idsOf({ recipient: 'p0@example.net' })).toEqual([second.id, first.id]);
    expect(await idsOf({ recipient: 'p7@example.net' })).toEqual([second.id]);
    expect(await idsOf({ tag: 'category:receipt' })).toEqual([first.id]);
    expect(await idsOf({ tag: 'category:receipts' })).toEqual([third.id]);
    expect(await idsOf({ status: 'complained' })).toEqual([]);
    expect((await list({ status: 'bounced' })).entries).toMatchObject([{ id: second.id, status: 'bounced' }]);
  });

  it('lists an email once, by its creation time, although events come twice, late and in disorder', async () => {
    const [first, second] = [newEmail(1), newEmail(2)];
    await report(second, [bounced(second)]);
    for (const email of [second, first, second]) await send(email);
    for (const email of [first, first]) await report(email, [bounced(email, 9)]);
    await report(second, [bounced(second)]);
    expect(await idsOf({ status: 'bounced' })).toEqual([second.id, first.id]);
    expect(await idsOf({ recipient: addressOf(second) })).toEqual([second.id]);
    expect(await idsOf({})).toEqual([second.id, first.id]);
  });

  it.each<[Kept, EmailTrait['kind'] | null, string | null]>([
    ['none', null, ''],
    ['none', 'status', 'status'],
    ['newest', 'recipient', 'recipient'],
    ['newest', 'tag', 'tag'],
    ['recipient', 'tag', 'tag'],
    ['recipient', 'recipient', null],
    ['newest', 'status', null],
    ['newest', null, null],
  ])('says of a list that is not kept which setting keeps it: %s, %s', async (kept, kind, path) => {
    keeping(kept);
    const asked = list(kind === null ? {} : { [kind]: 'bounced' });
    if (path === null) await expect(asked).resolves.toMatchObject({ entries: [] });
    else
      await expect(asked).rejects.toMatchObject({
        code: 'validation_error',
        issues: [{ path, text: { en: expect.stringContaining('"emailList"') } }],
      });
  });
});

describe('the events of an email', () => {
  it('are in order of time, in whatever order they arrived', async () => {
    const email = await send(newEmail());
    const recipient = addressOf(email);
    const delayed: FeedbackEvent = {
      type: 'delayed',
      recipient,
      at: at(1),
      occurrence: '1',
      reason: 'MailboxFull',
      diagnostic: null,
    };
    const complained: FeedbackEvent = {
      ...{ type: 'complained', recipient, at: at(9), byAccount: false },
      complaint: { feedbackType: 'abuse' },
    };
    for (const event of [
      clicked(recipient, 6, 'https://example.com/a'),
      complained,
      opened(email, 5),
      opened(email, 5),
      delivered(email, 4),
      delayed,
      delayed,
      bounced(email, 3),
      opened(email, 7, 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'),
      delivered(email, 8),
    ])
      await report(email, [event]);
    const seen = { recipient };
    expect(await detail(email)).toMatchObject({
      status: 'complained',
      recipients: [{ email: recipient, status: 'complained', updated_at: at(9).toISOString() }],
      events: [
        { ...seen, type: 'accepted', at: email.createdAt },
        { ...seen, type: 'delayed', at: at(1).toISOString(), reason: 'MailboxFull' },
        {
          ...{ ...seen, type: 'bounced', at: at(3).toISOString() },
          bounce: { type: 'Permanent', subtype: 'General', diagnostic: 'smtp; 550 5.1.1 user unknown' },
        },
        { ...seen, type: 'delivered', at: at(4).toISOString(), answer: '250 OK' },
        { ...seen, type: 'opened', at: at(5).toISOString(), proxied: false },
        { ...seen, type: 'clicked', at: at(6).toISOString(), url: 'https://example.com/a' },
        { ...seen, type: 'opened', at: at(7).toISOString(), proxied: true },
        { ...seen, type: 'complained', at: at(9).toISOString(), complaint: { feedback_type: 'abuse' } },
      ],
      events_omitted: 0,
    });
  });

  it('are kept up to a number and counted beyond it, without changing status and time of a recipient', async () => {
    const email = await send(newEmail());
    for (let second = 1; second <= 14; second += 1) await report(email, [opened(email, second)]);
    await report(email, [opened(email, 3)]);
    // Opening several times counts once.
    const today = new Date().toISOString().slice(0, 10);
    expect(await modules.listDays(workspaceId, today)).toMatchObject([{ date: today, opened: 1 }]);
    const { events, events_omitted, recipients, status } = await detail(email);
    expect([events.length, events_omitted]).toEqual([11, 4]);
    expect({ status, recipients }).toEqual({
      status: 'sent',
      recipients: [{ email: addressOf(email), status: 'sent', updated_at: email.createdAt }],
    });
    await report(email, [delivered(email)]);
    expect((await detail(email)).recipients).toMatchObject([{ status: 'delivered', updated_at: at(1).toISOString() }]);
  });

  it('name no recipient when there are several, since SES does not say who it was', async () => {
    const email = await send(newEmail(0, { to: ['a@example.net', 'b@example.net'] }));
    await report(email, [clicked(null, 5, `https://example.com/${'x'.repeat(400)}`)]);
    const { events, recipients } = await detail(email);
    expect(recipients.map(({ email: address }) => address)).toEqual(['a@example.net', 'b@example.net']);
    expect(events.at(-1)).toMatchObject({ type: 'clicked', recipient: null });
    expect(events.at(-1)?.url).toHaveLength(300);
  });
});
