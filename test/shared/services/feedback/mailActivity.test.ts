import type { FeedbackEvent } from '../../../../shared/domain/sending/feedbackEvent.ts';
import type { Feedback } from '../../../../shared/email/feedbackEvent.ts';
import { aroundCalls } from '../../store/aroundCalls.ts';
import { startSendingWorld } from '../campaigns/sendingWorld.ts';
import { operatorContext } from '../context.ts';

let world: Awaited<ReturnType<typeof startSendingWorld>>;
let modules: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../../shared/platform/config.ts')),
  ...(await import('../../../../shared/services/audience.ts')),
  ...(await import('../../../../shared/services/feedback/batch.ts')),
  ...(await import('../../../../shared/services/feedback/recordFeedback.ts')),
  ...(await import('../../../../shared/services/rights/erasePerson.ts')),
  ...(await import('../../../../shared/services/rights/exportPerson.ts')),
  ...(await import('../../../../shared/store/personEvents/activities.ts')),
  ...(await import('../../../../shared/store/table/table.ts')),
});

const settings = (MAIL_ACTIVITY: 'true' | 'false') =>
  modules.takeSettings({ MAIL_ACTIVITY, EMAIL_LIST: 'newest', UNCONFIRMED_DAYS: '30' });

beforeAll(async () => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
  world = await startSendingWorld();
  modules = await load();
});
beforeEach(() => settings('true'));
afterAll(() => world.stop());

const now = new Date();
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);
const sentAt = ago(3600);
const [ada, alan, grace] = ['ada@example.net', 'alan@example.net', 'grace@example.net'] as const;
const people: readonly string[] = [ada, alan, grace];
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
const gmail = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)';

type Given = Partial<{ at: Date; userAgent: string; isBot: boolean }>;
const read = { occurrence: 'once', userAgent: phone, isBot: false };
const accepted = (recipients: readonly string[]): FeedbackEvent => ({ type: 'accepted', recipients, at: sentAt });
const opened = (recipient: string | null, given: Given = {}): FeedbackEvent => ({
  ...{ type: 'opened', recipient, at: ago(60), ...read, ...given },
});
const clicked = (recipient: string | null, given: Given = {}): FeedbackEvent => ({
  ...{ type: 'clicked', recipient, at: ago(30), url: 'https://example.com/', ...read, ...given },
});

/** Three subscribers with a campaign, and how its messages and single emails are reported. */
async function newWorkspace() {
  const workspaceId = await world.newWorkspace();
  const campaign = await world.frozen(workspaceId, people);
  const message = { id: 'message', sentAt, subject: 's', tags: [] };
  const campaignOrigin = (email: string): object => ({
    ...{ kind: 'campaign', id: campaign.id, workspaceId, chunk: 0, position: people.indexOf(email), attempt: 'a' },
  });
  const singleOrigin = { kind: 'email', id: 'email_1', workspaceId, envelope: 0, minute: 1 };
  const report = async (...all: readonly (readonly [object, FeedbackEvent])[]) => {
    const batch = modules.openBatch(now);
    for (const [origin, event] of all)
      await modules.recordFeedback({ origin, message, events: [event] } as unknown as Feedback, batch);
    await modules.closeBatch(batch, 0);
  };
  const noted = async (email: string) => {
    const names = new Set(['email.sent', 'email.opened', 'email.clicked']);
    const found = (await modules.findActivities(workspaceId, [email], names)).get(email) ?? new Map();
    return Object.fromEntries([...found].map(([name, { last }]) => [name.slice('email.'.length), new Date(last)]));
  };
  return {
    ...{ workspaceId, report, noted },
    ofCampaign: (email: string, event: FeedbackEvent) => [campaignOrigin(email), event] as const,
    ofSingle: (event: FeedbackEvent, origin: object = {}) => [{ ...singleOrigin, ...origin }, event] as const,
  };
}

describe.each(['campaign', 'single email'] as const)('of a message of a %s', (kind) => {
  const inWorkspace = async () => {
    const workspace = await newWorkspace();
    const told = (email: string, event: FeedbackEvent) =>
      kind === 'campaign' ? workspace.ofCampaign(email, event) : workspace.ofSingle(event);
    return { ...workspace, told };
  };

  it('the send, the open and the click are noted, twice and out of order too', async () => {
    const { report, told, noted } = await inWorkspace();
    const events = [clicked(ada), opened(ada, { at: ago(50) }), opened(ada, { at: ago(90) }), accepted([ada])];
    await report(...events.map((event) => told(ada, event)));
    const expected = { sent: sentAt, opened: ago(50), clicked: ago(30) };
    expect(await noted(ada)).toEqual(expected);
    for (const event of events) await report(told(ada, event));
    await report(told(ada, opened(ada, { at: ago(70) })));
    expect(await noted(ada)).toEqual(expected);
    expect(await noted(alan)).toEqual({});
  });

  it('what relays and robots did is not', async () => {
    const { report, told, noted } = await inWorkspace();
    await report(
      told(ada, opened(ada, { userAgent: gmail })),
      told(ada, opened(ada, { userAgent: 'Mozilla/5.0' })),
      told(alan, opened(alan, { isBot: true })),
      told(alan, clicked(alan, { isBot: true })),
      told(grace, clicked(grace, { at: new Date(sentAt.getTime() + 9000) })),
    );
    expect(await Promise.all(people.map(noted))).toEqual([{}, {}, {}]);
    await report(told(grace, clicked(grace, { at: new Date(sentAt.getTime() + 10_000) })));
    expect(Object.keys(await noted(grace))).toEqual(['clicked']);
  });

  it('nothing is noted of a person who was erased', async () => {
    const { workspaceId, report, told, noted } = await inWorkspace();
    await report(told(ada, accepted([ada])));
    await modules.erasePerson(operatorContext(workspaceId), { email: ada });
    expect(await noted(ada)).toEqual({});
    await report(told(ada, accepted([ada])), told(ada, opened(ada)), told(ada, clicked(ada)));
    expect(await noted(ada)).toEqual({});
  });

  it('without the setting nothing is noted, and no call more is made', async () => {
    const { report, told, noted } = await inWorkspace();
    const callsOf = async () => {
      const calls: string[] = [];
      const stop = aroundCalls(modules.documents, (next) => (call) => {
        if (JSON.stringify(call.input).includes('ACTIVITY#')) calls.push(call.operation);
        return next(call);
      });
      await report(...[accepted([ada]), opened(ada), clicked(ada)].map((event) => told(ada, event)));
      stop();
      return calls;
    };
    settings('false');
    expect(await callsOf()).toEqual([]);
    expect(await noted(ada)).toEqual({});
    settings('true');
    expect((await callsOf()).sort()).toEqual(['BatchGetItem', 'PutItem', 'PutItem', 'PutItem']);
  });
});

describe('of single emails', () => {
  it('those to an address that is no subscriber’s are not noted, and nobody is created', async () => {
    const { workspaceId, report, ofSingle, noted } = await newWorkspace();
    const customer = 'customer@example.net';
    await report(ofSingle(accepted([customer, ada])), ofSingle(opened(customer)), ofSingle(clicked(customer)));
    expect([await noted(customer), Object.keys(await noted(ada))]).toEqual([{}, ['sent']]);
    expect(await modules.queryAll({ partition: `WS#${workspaceId}#ADDRESS#${customer}` })).toEqual([]);
  });

  it('confirmations and other mail of the service itself are not', async () => {
    const { report, ofSingle, noted } = await newWorkspace();
    const events = [accepted([ada]), clicked(ada)];
    await report(...events.map((event) => ofSingle(event, { purpose: 'service' })));
    expect(await noted(ada)).toEqual({});
  });

  it('an open by one of several recipients counts for none of them', async () => {
    const { report, ofSingle, noted } = await newWorkspace();
    await report(ofSingle(accepted([ada, alan])), ofSingle(opened(null)), ofSingle(clicked(null)));
    expect(await Promise.all([ada, alan].map(noted))).toEqual([{ sent: sentAt }, { sent: sentAt }]);
  });
});

describe('what was noted', () => {
  it('selects exactly those people whom a rule on mail is about', async () => {
    const { workspaceId, report, ofCampaign } = await newWorkspace();
    await report(
      ...people.map((email) => ofCampaign(email, accepted([email]))),
      ofCampaign(ada, opened(ada)),
      ofCampaign(ada, clicked(ada)),
      ofCampaign(alan, opened(alan, { at: ago(30 * 60) })),
      ofCampaign(grace, opened(grace, { userAgent: gmail })),
    );
    const membersOf = async (rule: Parameters<typeof modules.select>[0]['rule']) => {
      const members: string[] = [];
      for (const pages of modules.select({ workspaceId, rule, to: null }, now).streams)
        for await (const page of pages) members.push(...page.members);
      expect(await modules.countAudience({ workspaceId, rule, to: null }, now)).toBe(members.length);
      return members.sort();
    };
    const opens = { mail: 'opened', operator: 'exists' } as const;
    expect(await membersOf(opens)).toEqual([ada, alan]);
    expect(await membersOf({ all: [{ mail: 'sent', operator: 'exists' }, { not: opens }] })).toEqual([grace]);
    expect(await membersOf({ all: [opens, { not: { mail: 'clicked', operator: 'exists' } }] })).toEqual([alan]);
    expect(await membersOf({ mail: 'sent', operator: 'within_last_days', value: 1 })).toEqual(people);
  });

  it('is in the export of the person', async () => {
    const { workspaceId, report, ofCampaign } = await newWorkspace();
    await report(ofCampaign(ada, accepted([ada])), ofCampaign(ada, opened(ada)));
    let text = '';
    for await (const piece of modules.exportPerson(operatorContext(workspaceId), { email: ada })) text += piece.text;
    const { records = [] } = JSON.parse(text) as { records?: readonly { object: string }[] };
    expect(records.filter(({ object }) => object === 'mail_activity')).toEqual([
      { object: 'mail_activity', mail: 'opened', last: ago(60).toISOString() },
      { object: 'mail_activity', mail: 'sent', last: sentAt.toISOString() },
    ]);
  });
});
