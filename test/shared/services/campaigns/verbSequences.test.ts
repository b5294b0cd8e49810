import { join } from 'node:path';
import { startScheduler } from '../../../../infra/local/scheduler/scheduler.ts';
import { events } from '../../../../shared/contract/schemas/event.ts';
import { createId } from '../../../../shared/domain/identifier.ts';
import { newSubscriber } from '../../../../shared/domain/person/person.ts';
import { eventTypes, newWebhook, type WebhookEventType } from '../../../../shared/domain/webhook/webhook.ts';
import { temporaryFolder } from '../../../infra/local/processes.ts';
import { operatorContext } from '../context.ts';
import { startWorld, type World } from './world.ts';

/** What an operator can do with a campaign. */
type Verb = 'edit' | 'schedule' | 'unschedule' | 'send' | 'pause' | 'resume' | 'cancel' | 'archive' | 'duplicate';

/** Status and hold together. `fired`: its schedule has sent it. */
type State = 'draft' | 'scheduled' | 'fired' | 'sending' | 'paused' | 'canceled' | 'sent' | 'archived';

/** The state after each verb; a verb that is not there is refused with `conflict` and changes nothing. */
const transitions: Readonly<Record<State, Partial<Readonly<Record<Verb, State>>>>> = {
  draft: {
    edit: 'draft',
    schedule: 'scheduled',
    unschedule: 'draft',
    send: 'sending',
    archive: 'archived',
    duplicate: 'draft',
  },
  scheduled: { unschedule: 'draft', duplicate: 'scheduled' },
  fired: { pause: 'paused', resume: 'sending', cancel: 'canceled', duplicate: 'sending' },
  sending: { pause: 'paused', resume: 'sending', cancel: 'canceled', duplicate: 'sending' },
  paused: { pause: 'paused', resume: 'sending', cancel: 'canceled', duplicate: 'paused' },
  canceled: { cancel: 'canceled', duplicate: 'canceled' },
  sent: { archive: 'archived', duplicate: 'sent' },
  archived: { archive: 'archived', duplicate: 'archived' },
};

const verbs: readonly Verb[] = [
  'edit',
  'schedule',
  'unschedule',
  'send',
  'pause',
  'resume',
  'cancel',
  'archive',
  'duplicate',
];

let world: World;
let run: Awaited<ReturnType<typeof load>>;
let stopScheduler: () => Promise<void>;

async function load() {
  const [drafts, sending, scheduling, holds, reading, creating, workspaces, items, people, campaigns] =
    await Promise.all([
      import('../../../../shared/services/campaigns/drafts.ts'),
      import('../../../../shared/services/campaigns/sendCampaign.ts'),
      import('../../../../shared/services/campaigns/scheduleCampaign.ts'),
      import('../../../../shared/services/campaigns/pauseCampaign.ts'),
      import('../../../../shared/services/campaigns/readCampaigns.ts'),
      import('../../../../shared/services/campaigns/createCampaign.ts'),
      import('../../../../shared/store/workspace/workspaces.ts'),
      import('../../../../shared/store/person/personRecord.ts'),
      import('../../../../shared/store/person/people.ts'),
      import('../../../../shared/store/campaign/campaigns.ts'),
    ]);
  const { addCampaign: _, getCampaign: __, ...store } = campaigns;
  return {
    ...store,
    ...drafts,
    ...sending,
    ...scheduling,
    ...holds,
    ...reading,
    ...creating,
    ...workspaces,
    ...items,
    ...people,
  };
}

beforeAll(async () => {
  world = await startWorld();
  const folder = await temporaryFolder();
  const scheduler = await startScheduler({
    databasePath: join(folder.path, 'schedules.db'),
    sendToQueue: async () => {},
  });
  stopScheduler = async () => {
    await scheduler.stop();
    await folder.remove();
  };
  Object.assign(process.env, { AWS_ENDPOINT_URL_SCHEDULER: scheduler.endpoint, SCHEDULE_GROUP: 'default' });
  run = await load();
  const now = new Date();
  await run.putDomain(world.workspaceId, 'example.com', now, now);
  const ada = run.nobody(world.workspaceId, 'ada@example.net');
  await run.savePerson(ada, { ...ada, subscriber: newSubscriber('subscribed', now) }, []);
});
afterAll(async () => {
  await stopScheduler();
  await world.stop();
});

let calls = 0;
/** No two calls have the same time. */
const context = () => operatorContext(world.workspaceId, new Date(Date.now() + calls++));

async function newDraft(): Promise<string> {
  const { id } = await run.createCampaign(context(), {
    name: 'News',
    subject: 'News',
    text: 'Hello',
    from: 'hello@example.com',
  } as Parameters<typeof run.createCampaign>[1]);
  return id;
}

let edits = 0;
const doVerb: Readonly<Record<Verb, (id: string) => Promise<unknown>>> = {
  edit: async (id) => {
    const { revision, draft } = await run.readDraft(context(), { id });
    edits += 1;
    return run.saveDraft(context(), { id, revision, draft: { ...draft, name: `News ${edits}` } });
  },
  schedule: (id) => run.scheduleCampaign(context(), { id, at: new Date(Date.now() + 600_000) }),
  unschedule: (id) => run.unscheduleCampaign(context(), { id }),
  send: (id) => run.sendCampaign(context(), { id, dry_run: false }),
  pause: (id) => run.pauseCampaign(context(), { id }),
  resume: (id) => run.resumeCampaign(context(), { id }),
  cancel: (id) => run.cancelCampaign(context(), { id }),
  archive: (id) => run.archiveCampaign(context(), { id }),
  duplicate: (id) => run.duplicateCampaign(context(), { id }),
};

/** How to bring a new draft into a state. */
const ways: Readonly<Record<State, readonly (Verb | 'fire' | 'finish')[]>> = {
  draft: [],
  scheduled: ['schedule'],
  fired: ['schedule', 'fire'],
  sending: ['send'],
  paused: ['send', 'pause'],
  canceled: ['send', 'cancel'],
  sent: ['send', 'finish'],
  archived: ['archive'],
};

async function campaignIn(state: State): Promise<string> {
  const id = await newDraft();
  for (const step of ways[state]) {
    if (step !== 'fire' && step !== 'finish') {
      await doVerb[step](id);
      continue;
    }
    const campaign = await run.findCampaign(world.workspaceId, id);
    if (step === 'fire') {
      const position = { kind: 'fire' as const, workspace_id: world.workspaceId, campaign_id: id };
      await run.sendScheduledCampaign({ ...position, scheduled_at: campaign.scheduledAt ?? '' }, new Date());
    } else {
      await world.finishSending(campaign, new Date(), { unsent: 0, expiresAt: 2e9 });
    }
  }
  return id;
}

async function stateOf(id: string): Promise<State | 'held'> {
  const { status, hold } = await run.findCampaign(world.workspaceId, id);
  if (status !== 'sending' || hold === null) return status;
  return hold.reason === 'operator' ? 'paused' : hold.reason === 'canceled' ? 'canceled' : 'held';
}

/** Does a verb and expects what the table says; the state after it. */
async function step(id: string, state: State, verb: Verb): Promise<State> {
  const before = await run.findCampaign(world.workspaceId, id);
  const expected = transitions[state][verb];
  if (expected === undefined) {
    const refusal = { code: 'conflict', details: { status: before.status } };
    await expect(doVerb[verb](id)).rejects.toMatchObject(refusal);
    expect(await run.findCampaign(world.workspaceId, id)).toEqual(before);
    return state;
  }
  await doVerb[verb](id);
  expect(await stateOf(id)).toBe(expected);
  return expected;
}

const pairs = Object.entries(transitions).flatMap(([state, after]) =>
  (Object.keys(after) as Verb[]).flatMap((first) =>
    verbs.map((second): [State, Verb, Verb] => [state as State, first, second]),
  ),
);

describe('what an operator does with a campaign', () => {
  it.each(Object.keys(transitions) as State[])('does or refuses each verb when it is %s', async (state) => {
    for (const verb of verbs) await step(await campaignIn(state), state, verb);
  });

  it.each(pairs)('%s: %s, then %s', async (state, first, second) => {
    const id = await campaignIn(state);
    await step(id, await step(id, state, first), second);
  });

  it('leaves the original alone when the copy is sent', async () => {
    const id = await campaignIn('canceled');
    const copy = await run.duplicateCampaign(context(), { id });
    expect(await stateOf(copy.id)).toBe('draft');
    await step(copy.id, 'draft', 'send');
    expect(await stateOf(id)).toBe('canceled');
  });
});

describe('the events of a campaign', () => {
  const position = { workspaceId: '', webhookId: createId('whk', new Date()) };
  let hooks: typeof import('../../../../shared/store/webhook/webhooks.ts');
  let deliveries: typeof import('../../../../shared/store/webhook/deliveries.ts');

  beforeAll(async () => {
    [hooks, deliveries] = await Promise.all([
      import('../../../../shared/store/webhook/webhooks.ts'),
      import('../../../../shared/store/webhook/deliveries.ts'),
    ]);
    Object.assign(position, { workspaceId: world.workspaceId });
    // Its deliveries are written and held.
    const types = eventTypes.filter((type) => type.startsWith('campaign.'));
    const settings = { name: 'Hook', url: 'https://example.com/', events: types, enabled: false };
    await hooks.addWebhook(newWebhook(position, settings, 'sealed', new Date()), 20);
  });

  interface CampaignEvent {
    readonly id: string;
    readonly type: string;
    readonly data: {
      readonly id: string;
      readonly status: string;
      readonly progress: { readonly paused: boolean } | null;
    };
  }

  async function eventsOf(id: string): Promise<CampaignEvent[]> {
    const all = await deliveries.listAnyDeliveries(position, 1000);
    expect(all.every(({ lane }) => lane === 'bulk')).toBe(true);
    const own = all
      .map(({ body }) => JSON.parse(body))
      .filter(({ data }) => data.id === id)
      .sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
    for (const { type, data } of own) {
      expect(events[type as WebhookEventType].data.safeParse(data).error?.issues).toBeUndefined();
      expect(JSON.stringify(data)).not.toContain('Hello');
    }
    expect(new Set(own.map((event) => event.id)).size).toBe(own.length);
    return own;
  }
  const storyOf = async (id: string) =>
    (await eventsOf(id)).map(({ type, data }) => [type, data.status, data.progress?.paused]);
  const inTurn = async (id: string, ...turns: Verb[]) => {
    for (const verb of turns) await doVerb[verb](id).catch(() => {});
  };

  it('tell of each pause, resumption and cancellation once, and of what changed nothing', async () => {
    const id = await newDraft();
    await inTurn(
      id,
      'send',
      'send',
      'pause',
      'pause',
      'resume',
      'resume',
      'pause',
      'resume',
      'cancel',
      'cancel',
      'resume',
    );
    expect(await storyOf(id)).toEqual([
      ['campaign.started', 'sending', false],
      ['campaign.paused', 'sending', true],
      ['campaign.resumed', 'sending', false],
      ['campaign.paused', 'sending', true],
      ['campaign.resumed', 'sending', false],
      ['campaign.canceled', 'sending', true],
    ]);
  });

  it('tell of each schedule', async () => {
    const id = await newDraft();
    await inTurn(id, 'schedule', 'schedule', 'unschedule', 'unschedule', 'schedule', 'unschedule', 'send');
    expect(await storyOf(id)).toEqual([
      ['campaign.scheduled', 'scheduled', undefined],
      ['campaign.scheduled', 'scheduled', undefined],
      ['campaign.started', 'sending', false],
    ]);
  });

  it('tell why a scheduled campaign was refused, once for each time', async () => {
    const id = await newDraft();
    await doVerb.schedule(id);
    const { scheduledAt } = await run.findCampaign(world.workspaceId, id);
    const fire = {
      kind: 'fire',
      workspace_id: world.workspaceId,
      campaign_id: id,
      scheduled_at: scheduledAt ?? '',
    } as const;
    const suspension = { since: new Date().toISOString(), bounceRate: 0.1, complaintRate: 0 };
    await run.suspend(world.workspaceId, suspension);
    try {
      for (let time = 0; time < 2; time += 1) await run.sendScheduledCampaign(fire, context().now);
    } finally {
      await run.resume(world.workspaceId, { date: '2026-11-20', sent: 0, delivered: 0, bounced: 0, complained: 0 });
    }
    const [, failed, ...others] = await eventsOf(id);
    expect(others).toEqual([]);
    expect(failed).toMatchObject({
      type: 'campaign.schedule_failed',
      data: { status: 'draft', scheduledAt: null, schedule_failure: { message: expect.stringMatching(/suspended/) } },
    });
  });

  it('are written with the change or not at all, and once for many calls at the same time', async () => {
    const id = await campaignIn('sending');
    await Promise.allSettled(Array.from({ length: 8 }, () => doVerb.pause(id)));
    expect((await eventsOf(id)).filter(({ type }) => type === 'campaign.paused')).toHaveLength(1);
  });
});
