import type { AutomationDefinition } from '../../../../shared/domain/automation/automation.ts';
import { type AutomationRun, newRun } from '../../../../shared/domain/automation/run.ts';
import { type Enrolment, noEnrolment } from '../../../../shared/domain/automation/starting.ts';
import {
  type AutomationHead,
  addAutomation,
  deleteAutomation,
  getAutomation,
  getDeletedAutomation,
  getVersion,
  holdAutomation,
  listAutomations,
  listDueAutomations,
} from '../../../../shared/store/automation/automations.ts';
import { getChange, newChangePart, type StoredChange } from '../../../../shared/store/automation/changes.ts';
import { getEnrolments, openRunsOf, putWatched } from '../../../../shared/store/automation/enrolments.ts';
import {
  automationsStartedBy,
  getWatching,
  notePass,
  readListened,
  type WatchingListener,
} from '../../../../shared/store/automation/listeners.ts';
import { listDueEntries, pageOfRuns } from '../../../../shared/store/automation/runLists.ts';
import { getRun } from '../../../../shared/store/automation/runs.ts';
import { endRun, moveRun, putRun } from '../../../../shared/store/automation/runWrites.ts';
import {
  addToRunTally,
  foldRunTally,
  noShardTally,
  readShardTallies,
} from '../../../../shared/store/automation/tallies.ts';
import { runsWaitingFor } from '../../../../shared/store/automation/waiters.ts';
import { transact } from '../../../../shared/store/table/transaction.ts';
import { at, iso, type RecordKind, seconds, workspaceId } from './recordKind.ts';

const id = 'auto_01k9zs0a6d4b8e2f5g7h1j3k9m';
const email = 'ada@example.net';
const runKeyHash = 'AbCdEfGhIjKlMnOpQrStUv';

const definition: AutomationDefinition = {
  steps: [
    { key: 'start', type: 'trigger', config: { event_name: 'ordered' } },
    { key: 'paid', type: 'wait_for_event', config: { event_name: 'paid', timeout: '3 days' } },
    { key: 'thanks', type: 'send_email', config: { subject: 'Thanks', text: 'Thank you.' } },
  ],
  connections: [
    { from: 'start', to: 'paid', type: 'default' },
    { from: 'paid', to: 'thanks', type: 'event_received' },
  ],
  reentry: { after_days: 3 },
  run_key: 'event.order_id',
  goals: [{ event_name: 'refunded' }],
  from: null,
  reply_to: null,
  track: null,
};

const settings = {
  tag: 'category:news',
  quietHours: { from: '21:00', to: '08:00', zone: 'Europe/Paris', zone_field: 'zone' },
  maxDelay: '48 hours',
};
const head: AutomationHead = {
  ...settings,
  ...{ workspaceId, id, name: 'Orders', status: 'enabled', version: 1, epoch: 2, revision: 5 },
  ...{ held: null, jobs: { prepare: 5 }, createdAt: iso(0), updatedAt: iso(1), deletedAt: null },
};
const held = { reason: 'template_deleted', since: iso(2) } as const;
const deleted: AutomationHead = { ...head, status: 'disabled', epoch: 3, jobs: { end: 5 }, deletedAt: iso(3) };
const add = () => addAutomation(head, definition, { limit: 100, jobs: ['prepare'], at });

/** A run that waits, with data of this length. */
function waiting(runId: string, text: string): AutomationRun {
  const start = { event: 'event_01k9zs0a6d4b8e2f5g7h1j3k9n', data: { order_id: text } };
  const own = { workspaceId, automationId: id, id: runId, version: 1, epoch: 2, email, runKeyHash, start, depth: 1 };
  const begun = newRun(own, definition, at);
  return {
    ...{ ...begun, phase: 'wait', wakesAt: iso(3 * 86_400), tries: 2, triedSince: at.getTime() },
    story: begun.story.map((entry, index) => (index === 1 ? { ...entry, status: 'waiting' } : entry)),
  };
}
const small = waiting('run_01k9zs0a6d4b8e2f5g7h1j3k9p', 'A-1');
const large = waiting('run_01k9zs0a6d4b8e2f5g7h1j3k9q', 'A'.repeat(400));
const claimed: AutomationRun = {
  ...{ ...large, seq: 2, step: 2, phase: 'send', wakesAt: null, claimedAt: at.getTime(), inDoubtSince: at.getTime() },
  story: [
    ...large.story.slice(0, 1),
    {
      ...{ step: 1, status: 'completed', startedAt: at.getTime(), completedAt: at.getTime() + 1 },
      ...{ branch: 'event_received', event: 'event_01k9zs0a6d4b8e2f5g7h1j3k9r' },
    },
    { step: 2, status: 'running', startedAt: at.getTime() + 1 },
  ],
};
const failedRun: AutomationRun = {
  ...{ ...claimed, seq: 3, phase: 'go', status: 'failed', reason: 'send_failed', endedAt: iso(9) },
  ...{ claimedAt: undefined, inDoubtSince: undefined },
  story: [
    ...claimed.story.slice(0, 2),
    {
      ...{ step: 2, status: 'failed', startedAt: at.getTime() + 1, completedAt: at.getTime() + 2 },
      ...{ reason: 'send_failed', outcome: 'unknown', error: 'MessageRejected' },
    },
  ],
};

const enrolled = (runId: string, isOpen: boolean): Enrolment => ({
  ...{ openRun: isOpen ? runId : null, lastStart: iso(0), starts: 1, runs: [runId], day: '2026-11-20', startsOfDay: 1 },
});
const before = { ...noEnrolment, revision: 0, watched: null };
const put = (run: AutomationRun) =>
  putRun(
    {
      ...{ run, definition, more: [], own: { before, after: enrolled(run.id, true) }, watched: null },
      whole: { before, after: enrolled(run.id, false) },
    },
    at,
  );

/** As a run is read: what is absent may be an attribute without a value. */
const plain = (run: AutomationRun | null): unknown => JSON.parse(JSON.stringify(run));
const pages = async () => {
  const { runs } = await pageOfRuns(workspaceId, id, { limit: 5 });
  return runs.map((run) => run.id);
};
const positionOf = ({ id: runId }: AutomationRun) => ({ workspaceId, automationId: id, id: runId });
const enrolments = () => getEnrolments({ workspaceId, email, automationId: id, runKeyHash });

const change: StoredChange = {
  ...{
    workspaceId,
    email,
    version: 7,
    subscribed: true,
    byImport: true,
    addedTags: ['vip'],
    left: 'unsubscribed',
    depth: 2,
    at,
  },
  changedFields: [{ name: 'city', from: null, to: 'Paris' }],
  before: {
    ...{ isReachable: true, firstName: 'Ada', lastName: null, tags: ['news'], fields: { age: 36 } },
    ...{ createdAt: iso(-9), confirmedAt: null },
  },
};
const dated: AutomationDefinition = {
  ...definition,
  steps: [
    { key: 'start', type: 'trigger', config: { source: 'date', field: 'renewal', at: '09:00', zone: 'UTC' } },
    ...definition.steps.slice(1),
  ],
};
const pass = { of: '5', shard: 3, after: email };
const watched = { watch: '5', isIn: true, seen: 7, nextAt: iso(86_400) };
const person = { workspaceId, email, automationId: id, runKeyHash: '-' };
const tally = { workspaceId, automationId: id, version: 1, shard: 3 };

export const automationKinds: readonly RecordKind[] = [
  {
    name: 'automation',
    keys: ['automationKey', 'automationCountKey', 'automationVersionKey', 'listenerKey', 'listenedKey'],
    random: ['body'],
    write: async () => {
      await add();
      await holdAutomation(head, held);
    },
    read: async () => ({
      automation: await getAutomation(workspaceId, id),
      listed: (await listAutomations(workspaceId)).length,
      version: await getVersion(workspaceId, id, 1),
      due: (await listDueAutomations(seconds(1), 5)).map((one) => one.id),
      started: await automationsStartedBy(workspaceId, 'event ordered'),
      listened: [...(await readListened(workspaceId))].sort(),
      // The next one is refused: the count is read too.
      hasRoom: await addAutomation({ ...head, id: `${id}x` }, definition, { limit: 1, jobs: [], at }),
    }),
    expected: {
      automation: { ...head, held },
      listed: 1,
      version: { definition, settings },
      due: [id],
      started: [
        {
          ...{ automationId: id, version: 1, epoch: 2, runKey: 'event.order_id', reentry: { after_days: 3 } },
          trigger: { event_name: 'ordered' },
        },
      ],
      listened: ['event ordered', 'event paid', 'event refunded', 'left'],
      hasRoom: false,
    },
  },
  {
    name: 'automation that watches people',
    keys: ['listenerKey'],
    random: ['body'],
    write: async () => {
      await addAutomation(head, dated, { limit: 100, jobs: ['prepare'], at });
      await notePass(workspaceId, (await getWatching(workspaceId, id)) as WatchingListener, pass);
    },
    read: async () => [await getWatching(workspaceId, id), [...(await readListened(workspaceId))].sort()],
    expected: [
      {
        ...{ automationId: id, version: 1, epoch: 2, runKey: 'event.order_id', reentry: { after_days: 3 } },
        ...{ trigger: dated.steps[0].config, revision: 5, since: new Date(iso(1)), pass },
      },
      ['date', 'event paid', 'event refunded', 'field_changed renewal', 'left', 'subscribed'],
    ],
  },
  {
    name: 'person whom a date may start',
    keys: ['enrolmentKey'],
    write: () => putWatched(person, before, watched, []),
    read: async () => [
      (await getEnrolments(person)).whole,
      (await listDueEntries('enrolment', seconds(86_400), 5)).map(({ key }) => key.sk),
    ],
    expected: [{ ...noEnrolment, revision: 1, watched }, [`ENROLMENT#${id}#-`]],
  },
  {
    name: 'deleted automation',
    keys: ['automationEndKey'],
    random: ['body'],
    write: async () => {
      await add();
      await deleteAutomation({ head, definition }, deleted, at);
    },
    read: async () => [await getAutomation(workspaceId, id), await getDeletedAutomation(workspaceId, id)],
    expected: [null, deleted],
  },
  {
    name: 'waiting run',
    keys: ['runKey', 'enrolmentKey', 'waiterKey'],
    write: () => put(small),
    read: async () => ({
      run: plain(await getRun(positionOf(small))),
      runs: await pages(),
      due: (await listDueEntries('run', seconds(4 * 86_400), 5)).map(({ key }) => key.sk),
      open: await openRunsOf(workspaceId, email),
      enrolments: await enrolments(),
      waiting: await Promise.all(['paid', 'refunded'].map((event) => runsWaitingFor(workspaceId, email, event))),
    }),
    expected: {
      run: plain({ ...small, lookAt: new Date('2026-11-23T10:00:30.000Z') }),
      runs: [small.id],
      due: [`RUN#${small.id}`],
      open: [positionOf(small)],
      enrolments: {
        own: { ...enrolled(small.id, true), revision: 1, watched: null },
        whole: { ...enrolled(small.id, false), revision: 1, watched: null },
      },
      waiting: [[positionOf(small)], [positionOf(small)]],
    },
  },
  {
    name: 'claimed run',
    keys: ['runDataKey'],
    random: ['last_write'],
    write: async () => {
      await put(large);
      await moveRun(large, claimed, definition, at);
    },
    read: async () => plain(await getRun(positionOf(large))),
    expected: plain({ ...claimed, lookAt: seconds(90) }),
  },
  {
    name: 'failed run',
    keys: ['runDataKey'],
    random: ['last_write'],
    write: async () => {
      await put(large);
      await moveRun(large, claimed, definition, at);
      await endRun(claimed, failedRun, definition, [], at);
    },
    read: async () => ({ run: plain(await getRun(positionOf(large))), open: await openRunsOf(workspaceId, email) }),
    expected: { run: plain(failedRun), open: [] },
  },
  {
    name: 'change of a person',
    keys: ['changeKey'],
    write: () => transact([newChangePart(change)]),
    read: async () => [
      await getChange({ workspaceId, email, version: 7 }),
      (await listDueEntries('change', seconds(60), 5)).map(({ key }) => key.sk),
    ],
    expected: [change, ['CHANGE#000000000007']],
  },
  {
    name: 'counters of a version',
    keys: ['runTallyKey'],
    random: ['last_change'],
    write: () => addToRunTally(tally, { started: 2, '1.entered': 2 }),
    read: () => readShardTallies(workspaceId, id, tally.shard),
    expected: [{ version: 1, tally: { started: 2, '1.entered': 2 }, moves: 1, base: {}, until: new Date(0) }],
  },
  {
    name: 'counters of runs that expire',
    keys: ['runTallyBaseKey'],
    random: [],
    write: () => foldRunTally(tally, { ...noShardTally, version: 1 }, { started: 1 }, at),
    read: () => readShardTallies(workspaceId, id, tally.shard),
    expected: [{ version: 1, tally: {}, moves: 0, base: { started: 1 }, until: at }],
  },
];
