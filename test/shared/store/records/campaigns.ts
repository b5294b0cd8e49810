import type { Campaign } from '../../../../shared/domain/campaign/campaign.ts';
import {
  addCampaign,
  changeDraft,
  changeTest,
  finishSending,
  getCampaign,
  getContent,
  moveCampaign,
  pageOfCampaigns,
  pageOfFrozen,
  putHold,
  removeHold,
  startSending,
} from '../../../../shared/store/campaign/campaigns.ts';
import { getChunk, getMessage, putChunks, putMessage } from '../../../../shared/store/campaign/frozenContent.ts';
import {
  getPace,
  mayReadAccount,
  putAccountRate,
  putFactor,
  takeBacklogSlot,
  takePaceSlot,
} from '../../../../shared/store/campaign/pace.ts';
import {
  beginTurn,
  endTurn,
  getRunners,
  listLateRunners,
  restRunner,
} from '../../../../shared/store/campaign/runners.ts';
import { readSendConditions } from '../../../../shared/store/campaign/sendConditions.ts';
import {
  addBounceOrComplaint,
  addToSlice,
  claimPositions,
  clearDoubt,
  getSlice,
  readSlices,
  recordAttempt,
  slicePages,
} from '../../../../shared/store/campaign/slices.ts';
import { addToTally, correctTally, readTallies } from '../../../../shared/store/campaign/tallies.ts';
import { listDueWatches, putCheckResult } from '../../../../shared/store/campaign/watches.ts';
import { addToCampaignDay, countsByDate } from '../../../../shared/store/campaignDays.ts';
import {
  getCampaignWatermark,
  getRedriveTime,
  noteProbe,
  noteRedrive,
  raiseCampaignWatermark,
} from '../../../../shared/store/feedbackWatermarks.ts';
import { getUsed } from '../../../../shared/store/quota/months.ts';
import {
  addTemplate,
  deleteTemplate,
  getNewestMessage,
  getSource,
  getTemplate,
  listTemplates,
  packVersion,
  putNextVersion,
  renameTemplate,
} from '../../../../shared/store/templates.ts';
import { listDays, readUsage } from '../../../../shared/store/usage.ts';
import { resume, suspend } from '../../../../shared/store/workspace/workspaces.ts';
import { at, expiresAt, iso, type RecordKind, seconds, workspaceId } from './recordKind.ts';
import { putWorkspaceOf } from './workspaces.ts';

const test = {
  ...{ variants: 2, share: 20, decideBy: 'clicks' as const, waitHours: 4 },
  ...{ decideAt: null, winner: null, results: null },
};
const draft: Campaign = {
  workspaceId,
  id: 'camp_1',
  name: 'Launch',
  subject: 'Hello',
  preheader: 'News',
  from: 'Acme <hello@example.com>',
  kind: 'ab_test',
  status: 'draft',
  segmentId: 'seg_1',
  tag: 'category:news',
  test,
  track: { opens: false, clicks: true },
  revision: 3,
  noted: { by: 'ada', at: iso(-60) },
  template: { id: 'tpl_1', version: 2 },
  freeze: null,
  hold: null,
  createdAt: iso(0),
  updatedAt: iso(1),
  scheduledAt: null,
  sentAt: null,
  scheduleFailure: null,
};
const plain: Campaign = {
  ...draft,
  ...{ id: 'camp_2', kind: 'regular', preheader: null, segmentId: null, tag: null, test: null, track: {} },
  ...{ revision: 0, noted: null, template: null, createdAt: iso(10) },
};
const freeze = {
  id: 'frz_1',
  at: iso(20),
  groups: [
    { variant: 0, people: 600 },
    { variant: null, people: 5 },
  ],
  runners: 1,
  month: '2026-11',
};
const start = { freeze, limit: 1000, at: seconds(20), expiresAt };
const started: Campaign = { ...draft, status: 'sending', freeze, updatedAt: iso(20) };
const content = { variants: [{ subject: 'Hello' }] };
const decidedTest = { ...test, decideAt: iso(30), winner: 1, results: [{ delivered: 5, votes: 2 }] };

async function sendFirst() {
  await putWorkspaceOf(workspaceId);
  await addCampaign(draft, content);
  await startSending(draft, start);
}

const frozen = { workspaceId, campaignId: 'camp_1', freezeId: 'frz_1' };
const slice = { workspaceId, campaignId: 'camp_1', chunk: 3, slice: 1 };
const attempt = (id: string) => ({ id, positions: new Set([1, 2]), deadline: seconds(60) });
const tallyOf = { workspaceId, campaignId: 'camp_1', shard: 2 };

const message = {
  ...{ from: 'Acme <hello@example.com>', listId: 'list', peopleOfCall: 25 },
  ...{ subject: 'Hello', html: '<p>Hello</p>', text: 'Hello', variables: [], links: [] },
};

const replyTo = ['Help <help@example.com>', 'team@example.com'];

const template = {
  ...{ workspaceId, id: 'tpl_1', name: 'Receipt', subject: 'Your receipt', version: 1 },
  ...{ createdAt: iso(0), updatedAt: iso(0) },
};
const source = { subject: 'Your receipt', preheader: null, html: '<p>1</p>', text: '1', blocks: null, variables: [] };
const rendered = { subject: 'Your receipt', html: '<p>1</p>', text: '1', places: [], declared: [] };
async function version(text: string) {
  const packed = await packVersion({ ...source, text }, { ...rendered, text });
  if (!packed) throw new Error('Too large.');
  return packed;
}

export const campaignKinds: readonly RecordKind[] = [
  {
    name: 'campaign',
    keys: ['campaignKey', 'campaignContentKey'],
    random: ['body'],
    write: async () => {
      await putWorkspaceOf(workspaceId);
      await addCampaign({ ...draft, revision: 2, name: 'First' }, { old: true });
      await changeDraft({ ...draft, revision: 2 }, draft, content);
      await addCampaign(plain, content);
      await moveCampaign(plain, 'scheduled', seconds(11), iso(3600));
    },
    read: async () => ({
      draft: await getCampaign(draft),
      content: await getContent(draft),
      plain: await getCampaign(plain),
      listed: (await pageOfCampaigns(workspaceId, { limit: 5 })).entries.map(({ id }) => id),
      drafts: (await pageOfCampaigns(workspaceId, { limit: 5, status: 'draft' })).entries.map(({ id }) => id),
      // The record that is read is the one that the next change expects.
      isEdited: await changeDraft(draft, { ...draft, revision: 4 }, content),
      isBack: await moveCampaign({ ...plain, status: 'scheduled', scheduledAt: iso(3600) }, 'draft', at, null),
    }),
    expected: {
      draft,
      content,
      plain: { ...plain, status: 'scheduled', scheduledAt: iso(3600), updatedAt: iso(11) },
      listed: ['camp_2', 'camp_1'],
      drafts: ['camp_1'],
      isEdited: 'changed',
      isBack: true,
    },
  },
  {
    name: 'campaign with addresses for answers',
    keys: ['campaignKey', 'campaignMessageKey'],
    random: ['body'],
    write: async () => {
      await addCampaign({ ...plain, replyTo }, content);
      await putMessage({ ...frozen, variant: 0 }, { ...message, replyTo }, expiresAt);
    },
    read: async () => [await getCampaign(plain), await getMessage({ ...frozen, variant: 0 })],
    expected: [
      { ...plain, replyTo },
      { ...message, replyTo },
    ],
  },
  {
    name: 'campaign that is sent',
    keys: ['campaignKey', 'monthKey', 'runnerKey', 'watchKey'],
    random: ['body'],
    write: async () => {
      await sendFirst();
      await changeTest(started, { ...decidedTest, winner: null, results: null }, 5, seconds(30));
      await changeTest({ ...started, test: decidedTest }, decidedTest, 6, seconds(31));
      await putHold(started, { reason: 'provider_paused', since: iso(32), providerCode: 'Paused' }, seconds(32));
    },
    read: async () => {
      const campaign = await getCampaign(draft);
      if (!campaign) throw new Error('There is no campaign.');
      await suspend(workspaceId, { since: iso(40), bounceRate: 0.1, complaintRate: 0 });
      const conditions = await readSendConditions(draft, [], Promise.resolve(new Set()));
      await resume(workspaceId, { date: '2026-11-20', sent: 1, delivered: 1, bounced: 0, complained: 0 });
      return {
        campaign,
        standing: [conditions.isSuspended, conditions.kinds, conditions.campaign?.id],
        used: await getUsed(workspaceId, '2026-11'),
        isResumed: await removeHold(campaign, 7, seconds(50)),
        isSent: await finishSending({ ...campaign, hold: null }, seconds(60), { unsent: 5, expiresAt }),
        sent: await getCampaign(draft),
        usedThen: await getUsed(workspaceId, '2026-11'),
      };
    },
    expected: (() => {
      const hold = { reason: 'provider_paused', since: iso(32), providerCode: 'Paused' };
      const campaign = { ...started, test: decidedTest, hold, measured: { at: iso(31), done: 6 }, updatedAt: iso(32) };
      return {
        campaign,
        standing: [true, ['category:news'], 'camp_1'],
        used: 605,
        isResumed: true,
        isSent: true,
        sent: {
          ...campaign,
          hold: null,
          measured: { at: iso(50), done: 7 },
          status: 'sent',
          sentAt: iso(60),
          updatedAt: iso(60),
        },
        usedThen: 600,
      };
    })(),
  },
  {
    name: 'frozen campaign',
    keys: ['frozenCampaignKey'],
    random: ['body'],
    write: async () => sendFirst(),
    read: async () => {
      const { entries } = await pageOfFrozen(workspaceId, { limit: 5 });
      return entries.map(({ position, campaign }) => [position, campaign.id, campaign.freeze.id]);
    },
    expected: [[`${iso(20)}#camp_1`, 'camp_1', 'frz_1']],
  },
  {
    name: 'runner',
    keys: ['runnerKey'],
    random: ['body', 'last_begin'],
    write: async () => {
      await sendFirst();
      const position = { workspaceId, campaignId: 'camp_1' };
      const runner = await beginTurn({ ...position, runner: 0 }, 0, seconds(100));
      if (runner) await endTurn(runner, 2, seconds(110));
      const closer = await beginTurn({ ...position, runner: 1 }, 0, seconds(100));
      if (closer) await restRunner(closer, 0);
    },
    read: async () => ({
      runners: await getRunners({ workspaceId, campaignId: 'camp_1' }, 2),
      late: await listLateRunners(seconds(111), 5),
      isTurn: (await beginTurn({ workspaceId, campaignId: 'camp_1', runner: 0 }, 1, seconds(120)))?.turn,
    }),
    expected: {
      runners: [
        { workspaceId, campaignId: 'camp_1', runner: 0, turn: 1, chunk: 2, isResting: false },
        { workspaceId, campaignId: 'camp_1', runner: 1, turn: 1, chunk: 0, isResting: true },
      ],
      late: [{ workspaceId, campaignId: 'camp_1', runner: 0 }],
      isTurn: 2,
    },
  },
  {
    name: 'watch',
    keys: ['watchKey'],
    random: ['body'],
    write: async () => {
      await sendFirst();
      const [due] = await listDueWatches(seconds(200), 5);
      if (!due) throw new Error('There is no watch.');
      const state = {
        outcomes: 'o',
        movedAt: seconds(1),
        counters: 'c',
        changedAt: seconds(2),
        recounted: 'r',
        days: 4,
      };
      await putCheckResult(due.read(), { state, recount: { nextShard: 7, isExact: false }, nextAt: seconds(300) });
    },
    read: async () => {
      const [due] = await listDueWatches(seconds(300), 5);
      const watch = due?.read();
      if (!watch) throw new Error('There is no watch.');
      return {
        watch,
        next: (await putCheckResult(watch, { ...watch, recount: null, nextAt: seconds(400) }))?.recount,
        last: await putCheckResult({ ...watch, dueAt: iso(400) }, { ...watch, recount: null, nextAt: null }),
      };
    },
    expected: {
      watch: {
        ...{ workspaceId, campaignId: 'camp_1', dueAt: iso(300), expiresAt },
        state: { outcomes: 'o', movedAt: seconds(1), counters: 'c', changedAt: seconds(2), recounted: 'r', days: 4 },
        recount: { nextShard: 7, isExact: false },
      },
      next: null,
      last: null,
    },
  },
  {
    name: 'chunk',
    keys: ['chunkKey'],
    random: ['body'],
    write: () => putChunks(frozen, [{ number: 17, emails: ['ada@example.net', 'bob@example.net'] }], expiresAt),
    read: () => getChunk(frozen, 17),
    expected: { number: 17, emails: ['ada@example.net', 'bob@example.net'] },
  },
  {
    name: 'slice',
    keys: ['sliceKey', 'dayKey'],
    random: ['changed_at'],
    write: async () => {
      const skipped = { 'skip.unsubscribed': new Set([0]) };
      await claimPositions(slice, 0, { attempt: attempt('a1'), sets: skipped, day: '2026-11-20', expiresAt });
      await claimPositions(slice, 1, { attempt: attempt('a2'), sets: {}, day: '2026-11-21', expiresAt });
      await claimPositions(slice, 2, { attempt: attempt('a3'), sets: {}, day: '2026-11-21', expiresAt });
      await recordAttempt(slice, 'a1', { uncertain: new Set([1, 2, 3]) }, new Set([11]));
      await clearDoubt(slice, 3, { ...attempt('a2'), positions: new Set([3]) });
      const sets = { delivered: new Set([4]), 'device.Apple iPhone': new Set([4]) };
      await addToSlice(slice, {
        sets,
        provenAttempts: new Set(['a1']),
        messageMarkers: new Set([12]),
        expiresAt: expiresAt + 1,
      });
      await addBounceOrComplaint(slice, 4, 'complained', '2026-11-20');
      await addToSlice(
        { ...slice, slice: 2 },
        { sets: { delivered: new Set([0]) }, provenAttempts: new Set(), expiresAt },
      );
    },
    read: async () => {
      const touched = [];
      for await (const page of slicePages(workspaceId, 'camp_1', 3)) touched.push(...page);
      // Reported again: not counted again.
      await addBounceOrComplaint(slice, 4, 'complained', '2026-11-20');
      return {
        slice: await getSlice(slice),
        same: (await readSlices(slice))[1],
        touched: touched.map(({ chunk, slice: number, changedAt }) => [chunk, number, changedAt > 0]),
        days: await listDays(workspaceId, '2026-11-01'),
        isClaimed: (await claimPositions(slice, 4, { attempt: null, sets: {}, day: '2026-11-21', expiresAt })) !== null,
      };
    },
    expected: (() => {
      const stored = {
        version: 4,
        day: '2026-11-20',
        sets: {
          'skip.unsubscribed': new Set([0]),
          uncertain: new Set([1, 2]),
          delivered: new Set([4]),
          'device.Apple iPhone': new Set([4]),
        },
        attempts: [attempt('a3')],
        provenAttempts: new Set(['a1']),
        messageMarkers: new Set([11, 12]),
      };
      return {
        slice: stored,
        same: stored,
        touched: [
          [3, 1, true],
          [3, 2, true],
        ],
        days: [{ date: '2026-11-20', sent: 0, delivered: 0, bounced: 0, complained: 1, opened: 0 }],
        isClaimed: true,
      };
    })(),
  },
  {
    name: 'tally',
    keys: ['tallyKey', 'campaignDayKey'],
    random: ['last_change', 'last_count', 'moved_at'],
    write: async () => {
      await addToTally(tallyOf, { sent: 5, 'device.Apple iPhone': 2 });
      const counts = [...countsByDate(2, { 'day.2026-11-20.sent': 4, 'day.2026-11-20.delivered': 3 }).values()].flat();
      await addToCampaignDay({ ...tallyOf, date: '2026-11-20' }, counts);
      await correctTally(tallyOf, { sent: 1, 'day.2026-11-20.sent': 2 }, { seen: 0 });
    },
    read: async () => {
      const dates = ['2026-11-20', '2026-11-21'];
      const { recounts, total } = await readTallies(workspaceId, 'camp_1', { consistent: true, dates });
      const { days, campaigns } = await readUsage(workspaceId, '2026-11-01');
      const isSeen = await correctTally(tallyOf, { sent: 1 }, { seen: 1 });
      return { recounts: recounts[2], total, days, campaigns, isSeen };
    },
    expected: {
      recounts: 1,
      total: { sent: 6, 'device.Apple iPhone': 2, 'day.2026-11-20.sent': 6, 'day.2026-11-20.delivered': 3 },
      days: [{ date: '2026-11-20', sent: 6, delivered: 3, bounced: 0, complained: 0, opened: 0 }],
      campaigns: [{ campaignId: 'camp_1', date: '2026-11-20', sent: 6, delivered: 3 }],
      isSeen: true,
    },
  },
  {
    name: 'message of a campaign',
    keys: ['campaignMessageKey'],
    random: ['body'],
    write: () => putMessage({ ...frozen, variant: 1 }, message, expiresAt),
    read: () => getMessage({ ...frozen, variant: 1 }),
    expected: message,
  },
  {
    name: 'pace',
    keys: ['paceKey'],
    write: async () => {
      await putAccountRate({ perSecond: 14, perDay: 50_000, sentInDay: 7 }, at.getTime());
      await mayReadAccount(at.getTime(), null, 1000);
      const pace = await getPace();
      if (pace) await takePaceSlot(pace, 10, at.getTime());
      await putFactor(1, 0.5, { now: at.getTime(), quietMilliseconds: 1000 });
      await takeBacklogSlot(20, 19, at.getTime(), 0);
    },
    read: async () => ({
      pace: await getPace(),
      mayRead: await mayReadAccount(at.getTime() + 10, null, 1000),
      isChanged: await putFactor(0.5, 0.25, { now: at.getTime() + 999, quietMilliseconds: 1000 }),
      slot: await takeBacklogSlot(20, 19, at.getTime(), 0),
    }),
    expected: {
      pace: {
        account: { perSecond: 14, perDay: 50_000, sentInDay: 17 },
        ...{ factor: 0.5, until: at.getTime() + Math.ceil(10_000 / 12.6), readAt: at.getTime() },
      },
      mayRead: false,
      isChanged: false,
      slot: { kind: 'taken', startsAt: at.getTime() + 1000, until: at.getTime() + 2000 },
    },
  },
  {
    name: 'feedback watermark of campaigns',
    keys: ['campaignWatermarkKey'],
    write: async () => {
      await raiseCampaignWatermark(at);
      await noteProbe(seconds(1), at);
      await noteRedrive('campaign-feedback', seconds(2));
    },
    read: async () => ({
      heard: await getCampaignWatermark(),
      mayProbe: await noteProbe(seconds(3), seconds(1)),
      redriven: await getRedriveTime('campaign-feedback'),
    }),
    expected: { heard: at, mayProbe: false, redriven: seconds(2) },
  },
  {
    name: 'template',
    keys: ['templateKey', 'templateCountKey', 'templateSourceKey', 'templateMessageKey'],
    random: ['body'],
    write: async () => {
      await addTemplate(template, await version('1'), 2);
      await putNextVersion(template, { ...template, version: 2, updatedAt: iso(5) }, await version('2'));
      await renameTemplate(template, 'Bill', seconds(6));
    },
    read: async () => ({
      template: await getTemplate(workspaceId, 'tpl_1'),
      listed: (await listTemplates(workspaceId, { limit: 5 })).entries.map(({ name }) => name),
      newest: await getNewestMessage(workspaceId, 'tpl_1'),
      first: await getSource(workspaceId, 'tpl_1', 1),
      hasRoom: await addTemplate({ ...template, id: 'tpl_2' }, await version('1'), 2),
      isFull: !(await addTemplate({ ...template, id: 'tpl_3' }, await version('1'), 2)),
      isChanged: await putNextVersion(
        { ...template, name: 'Bill', version: 2 },
        { ...template, version: 3 },
        await version('3'),
      ),
    }),
    expected: {
      template: { ...template, name: 'Bill', version: 2, updatedAt: iso(6) },
      listed: ['Bill'],
      newest: { version: 2, message: { ...rendered, text: '2' } },
      first: { ...source, text: '1' },
      hasRoom: true,
      isFull: true,
      isChanged: true,
    },
  },
  {
    name: 'deleted template',
    keys: ['templateEndKey'],
    random: ['body'],
    write: async () => {
      await addTemplate(template, await version('1'), 1);
      await deleteTemplate(workspaceId, 'tpl_1');
    },
    read: async () => ({
      newest: await getNewestMessage(workspaceId, 'tpl_1'),
      hasRoom: await addTemplate({ ...template, id: 'tpl_2' }, await version('1'), 1),
    }),
    expected: { newest: null, hasRoom: true },
  },
];
