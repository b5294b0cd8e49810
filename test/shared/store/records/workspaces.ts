import type { Job } from '../../../../shared/domain/job.ts';
import { pageOfAudit, putAudit, settleAudit } from '../../../../shared/store/audit.ts';
import { changeJob, getJob, listJobs, listLateJobs, putJob, releaseLateJob } from '../../../../shared/store/jobs.ts';
import {
  changeStoredOperator,
  deleteSession,
  listStoredOperators,
  noteSignIn,
  putInvitation,
  putSession,
  putSignIn,
  raiseSessionEpoch,
  readSessionEpoch,
  readSessionState,
  takeSignIn,
} from '../../../../shared/store/operators.ts';
import { getSendingDecision, putSendingDecision } from '../../../../shared/store/sendingDecision.ts';
import {
  countCall,
  countKeyCall,
  getApiKey,
  lastCalls,
  listApiKeys,
  putApiKey,
  revokeApiKey,
} from '../../../../shared/store/workspace/apiKeys.ts';
import { getParentKey, putChildKey } from '../../../../shared/store/workspace/childKeys.ts';
import {
  getDeletion,
  listDueDeletions,
  noteDeletion,
  startDeletion,
} from '../../../../shared/store/workspace/deletions.ts';
import { claimDomain, findHolders, noteIdentity } from '../../../../shared/store/workspace/domainHolders.ts';
import { getBrand, getFormTexts, keepFormText, putBrand } from '../../../../shared/store/workspace/publicPages.ts';
import { getSegment, listSegments, putSegment } from '../../../../shared/store/workspace/segments.ts';
import {
  changeFrequencyCap,
  findWorkspaceByPublicId,
  getFrequencyCap,
  getWorkspace,
  listWorkspaces,
  noteListened,
  pauseConfirmations,
  putDomain,
  putSenders,
  putWorkspace,
  renameWorkspace,
  resume,
  suspend,
  updateSettings,
} from '../../../../shared/store/workspace/workspaces.ts';
import { at, iso, type RecordKind, seconds, workspaceId } from './recordKind.ts';

const form = {
  text: 'I want the news.',
  privacyUrl: 'https://example.com/privacy',
  redirectUrl: 'https://example.com/thanks',
  language: 'fr' as const,
  fields: [{ name: 'city', label: 'City', choices: ['Paris', 'London'] }],
};
const kinds = [{ tag: 'category:news', name: 'News' }];
const suspension = { since: iso(0), bounceRate: 0.06, complaintRate: 0.001 };
const baseline = { date: '2026-11-20', sent: 10, delivered: 9, bounced: 1, complained: 0 };
const pause = { ...suspension, until: iso(86_400), baseline };
const created = { publicId: 'public', name: 'Plain', plan: 'free', language: 'en', createdAt: iso(0) } as const;

/** A workspace with a kind of mail. */
export async function putWorkspaceOf(id: string): Promise<void> {
  await putWorkspace({ id, ...created });
  await updateSettings(id, { kinds });
}

const key = {
  workspaceId,
  keyId: 'key_1',
  keyName: 'Live',
  lastFour: '4af3',
  fingerprint: 'fingerprint',
  scopes: ['emails:send' as const, 'webhooks:read' as const],
  createdAt: iso(0),
  parent: null,
  validUntil: null,
};
const child = {
  ...{ ...key, keyId: 'key_2', keyName: 'Child', fingerprint: 'child', scopes: ['emails:send' as const] },
  ...{ parent: { keyId: 'key_1', fingerprint: 'fingerprint' }, validUntil: iso(60) },
};
const paris = { id: 'seg_2', name: 'Paris', rule: { tag: 'paris' }, createdAt: iso(0) };
const minute = Math.floor(at.getTime() / 60_000);

const job: Job = {
  workspaceId,
  id: 'job_1',
  state: 'running',
  work: {
    kind: 'erasure',
    email: 'ada@example.net',
    alias: 'alias',
    position: ['start'],
    scanned: 4,
    records: 2,
  },
  by: { name: 'grace', role: 'editor' },
  language: 'fr',
  createdAt: iso(0),
  endedAt: iso(9),
  failure: 'It failed.',
  holder: 'worker',
  dueAt: iso(60),
  tries: 3,
  revision: 5,
};

const importOfKey: Job = {
  ...job,
  id: 'job_2',
  work: {
    ...{ kind: 'import', filename: 'people.csv', bytes: 96, received: 0, columns: [{ kind: 'email' }] },
    ...{ consentGiven: true, suppressAs: null },
    upload: { declared: [{ header: 'Email', column: { kind: 'email' } }], etag: '"1"' },
    progress: {
      ...{ offset: 40, line: 3, rows: 2, added: 1, updated: 0, suppressed: 0, refused: 1, refusedPieces: 1 },
    },
  },
  by: { name: 'Shop (…abcd)', role: 'editor' },
  key: { id: 'key_1', name: 'Shop', lastFour: 'abcd' },
  begunAt: iso(1),
};

const entry = {
  ...{ id: 'aud_1', at: iso(0), action: 'key.create', subject: 'key_1', by: 'grace', role: 'admin' },
  ...{ door: 'console', note: 'for CI', outcome: 'begun' },
};

const invited = {
  ...{ id: 'opr_1', email: 'grace@example.net', role: 'editor' as const, workspaceId },
  ...{ invitedAt: iso(0), invitedBy: 'ada' },
};
const session = {
  ...{ name: 'grace', role: 'editor' as const, workspaceId, invitationId: null },
  ...{ epoch: 3, expiresAt: seconds(60) },
};
const issuer = { issuer: 'https://id.example', subject: 'sub-1' };

export const workspaceKinds: readonly RecordKind[] = [
  {
    name: 'workspace',
    keys: ['workspaceKey', 'domainKey', 'senderKey', 'registerKey', 'publicIdKey'],
    write: async () => {
      await putWorkspace({ id: workspaceId, ...created });
      await putWorkspace({ id: 'ws_plain', ...created, publicId: 'other' });
      const settings = { trackOpens: false, trackClicks: false, formOrigins: ['https://www.example.com'], form, kinds };
      await updateSettings(workspaceId, { ...settings, plan: 'growth', language: 'fr' });
      await renameWorkspace(workspaceId, 'Full');
      await putDomain(workspaceId, 'example.com', at, at);
      await putDomain(workspaceId, 'example.net', null, at);
      await putSenders(
        workspaceId,
        [
          { email: 'hello@example.com', name: 'Ada', default: true },
          { email: 'news@example.com', name: null, default: false },
        ],
        at,
      );
      await resume(workspaceId, baseline);
      await suspend(workspaceId, suspension);
      await pauseConfirmations(workspaceId, pause, at);
    },
    read: async () => ({
      full: await getWorkspace(workspaceId),
      plain: await getWorkspace('ws_plain'),
      found: await findWorkspaceByPublicId('public'),
      listed: await listWorkspaces(),
      isSuspended: !(await suspend(workspaceId, suspension)),
    }),
    expected: {
      full: {
        ...{ id: workspaceId, ...created, name: 'Full', plan: 'growth', language: 'fr' },
        ...{ trackOpens: false, trackClicks: false, formOrigins: ['https://www.example.com'], form, kinds },
        ...{ suspension, reputationBaseline: baseline, confirmationPause: pause },
        domains: [
          { domain: 'example.com', verified: true, proof: 'grandfathered' },
          { domain: 'example.net', verified: false },
        ],
        senders: [
          { email: 'hello@example.com', name: 'Ada', default: true, createdAt: at.toISOString() },
          { email: 'news@example.com', name: null, default: false, createdAt: at.toISOString() },
        ],
      },
      plain: {
        ...{ id: 'ws_plain', ...created, publicId: 'other', trackOpens: true, trackClicks: true },
        ...{
          suspension: null,
          reputationBaseline: null,
          confirmationPause: null,
          formOrigins: [],
          kinds: [],
          domains: [],
          senders: [],
        },
      },
      found: workspaceId,
      listed: [
        { id: workspaceId, name: 'Full' },
        { id: 'ws_plain', name: 'Plain' },
      ],
      isSuspended: true,
    },
  },
  {
    name: 'workspace with listeners',
    keys: ['workspaceKey'],
    write: async () => {
      await putWorkspace({ id: workspaceId, ...created });
      await noteListened(workspaceId, ['email.sent']);
      await noteListened(workspaceId, ['email.scheduled', 'email.sent']);
    },
    read: async () => (await getWorkspace(workspaceId))?.listened,
    expected: ['email.scheduled', 'email.sent'],
  },
  {
    name: 'workspace with a frequency cap',
    keys: ['workspaceKey'],
    write: async () => {
      await putWorkspace({ id: workspaceId, ...created });
      await changeFrequencyCap(workspaceId, { messages: 3, days: 7 });
    },
    read: async () => [(await getWorkspace(workspaceId))?.frequencyCap, await getFrequencyCap(workspaceId)],
    expected: [
      { messages: 3, days: 7 },
      { messages: 3, days: 7 },
    ],
  },
  {
    name: 'holder of a domain',
    keys: ['domainHolderKey'],
    write: async () => {
      const claim = { workspaceId, domain: 'mail.example.com', proof: 'dns', before: null } as const;
      await putDomain('ws_parent', 'example.com', at, at);
      const ceding = [{ workspaceId: 'ws_parent', domain: 'example.com' }];
      await claimDomain({ ...claim, verifiedAt: at, losers: [], ceding, ceded: ['x.mail.example.com'] }, [], at);
      await noteIdentity('mail.example.com', true);
    },
    read: () => findHolders('mail.example.com'),
    expected: [{ domain: 'mail.example.com', workspaceId, isIdentityOurs: true }],
  },
  {
    name: 'API key',
    keys: ['apiKeyKey', 'workspaceKeyKey'],
    write: async () => {
      await putApiKey(key);
      await countKeyCall('fingerprint', at);
      await revokeApiKey({ ...key, revokedAt: null }, seconds(30));
    },
    read: async () => ({
      listed: await listApiKeys(workspaceId),
      last: [...(await lastCalls(['fingerprint'])).entries()],
      counted: await countKeyCall('fingerprint', at),
    }),
    expected: {
      listed: [{ ...key, revokedAt: iso(30) }],
      last: [['fingerprint', new Date(minute * 60_000)]],
      counted: {
        key: { ...key, revokedAt: iso(30) },
        end: 'revoked',
        window: { count: 2, resetsAt: (minute + 1) * 60 },
      },
    },
  },
  {
    name: 'child key',
    keys: ['apiKeyKey', 'workspaceKeyKey'],
    write: async () => {
      await putApiKey(key);
      await putChildKey(child, undefined);
      await countKeyCall('child', at);
    },
    read: async () => ({
      listed: await getApiKey(workspaceId, 'key_2'),
      parent: await getParentKey(workspaceId, 'key_1'),
      counted: await countKeyCall('child', at),
    }),
    expected: {
      listed: { ...child, revokedAt: null },
      parent: { fingerprint: 'fingerprint', childrenMade: 1 },
      counted: {
        ...{ key: { ...child, revokedAt: null }, end: null },
        window: { count: 2, resetsAt: (minute + 1) * 60 },
      },
    },
  },
  {
    name: 'rate window',
    keys: ['rateWindowKey'],
    write: () => countCall('source#192.0.2.1', at),
    read: () => countCall('source#192.0.2.1', at),
    expected: { count: 2, resetsAt: (minute + 1) * 60 },
  },
  {
    name: 'brand',
    keys: ['brandKey'],
    write: async () => {
      await putWorkspaceOf(workspaceId);
      await putBrand(
        { id: workspaceId },
        { color: '#123456', logo: { type: 'image/png', content: 'AAAA' } },
        { accent: '#123456', address: '1 Main Street\nParis', links: ['https://instagram.com/acme'] },
      );
    },
    read: async () => [await getBrand(workspaceId), (await getWorkspace(workspaceId))?.mailBrand],
    expected: [
      { color: '#123456', logo: { type: 'image/png', content: 'AAAA' } },
      { accent: '#123456', address: '1 Main Street\nParis', links: ['https://instagram.com/acme'] },
    ],
    readAs: { '1.0.0': [{ color: '#123456', logo: { type: 'image/png', content: 'AAAA' } }, undefined] },
  },
  {
    name: 'text of the sign-up form',
    keys: ['formTextKey'],
    write: () => keepFormText(workspaceId, { text: 'I want the news.', language: 'en' }, at),
    read: async () => {
      const version = await keepFormText(workspaceId, { text: 'I want the news.', language: 'en' }, at);
      return [...(await getFormTexts(workspaceId, [version])).entries()];
    },
    expected: [['155cfc882cdc', { text: 'I want the news.', language: 'en' }]],
  },
  {
    name: 'segment',
    keys: ['segmentKey'],
    write: async () => {
      await putSegment(workspaceId, { id: 'seg_1', name: 'VIPs', rule: { tag: 'vip' }, createdAt: iso(0) });
      await putSegment(workspaceId, { ...paris, updatedAt: iso(5) });
    },
    read: async () => [await getSegment(workspaceId, 'seg_1'), await listSegments(workspaceId)],
    expected: (() => {
      const segment = { id: 'seg_1', name: 'VIPs', rule: { tag: 'vip' }, createdAt: iso(0) };
      return [segment, [segment, { ...paris, updatedAt: iso(5) }]];
    })(),
  },
  {
    name: 'deletion of a workspace',
    keys: ['deletionKey'],
    write: async () => {
      await startDeletion(workspaceId, at);
      const deletion = await getDeletion(workspaceId);
      const progress = { scanned: 9, deleted: 4, passes: 1, deletedInPass: 2, position: { pk: 'a', sk: 'b' } };
      if (deletion) await noteDeletion(deletion, progress, seconds(60));
    },
    read: async () => ({ deletion: await getDeletion(workspaceId), due: await listDueDeletions(seconds(61)) }),
    expected: {
      deletion: {
        ...{ workspaceId, requestedAt: iso(0), dueAt: iso(60), scanned: 9, deleted: 4, passes: 1, deletedInPass: 2 },
        position: { pk: 'a', sk: 'b' },
      },
      due: [{ workspaceId }],
    },
  },
  {
    name: 'job',
    keys: ['jobKey'],
    write: () => putJob(job),
    read: async () => {
      const [late] = await listLateJobs(seconds(61), 5);
      return {
        job: await getJob(workspaceId, 'job_1'),
        listed: await listJobs(workspaceId, 5),
        late,
        isReleased: late && (await releaseLateJob(late, seconds(120))),
        isChanged: (await changeJob({ ...job, revision: 6 }, { state: 'done' }))?.revision,
      };
    },
    expected: {
      job,
      listed: [job],
      late: { workspaceId, id: 'job_1', dueAt: iso(60) },
      isReleased: true,
      isChanged: 7,
    },
  },
  {
    name: 'job of a key',
    keys: ['jobKey'],
    write: () => putJob(importOfKey),
    read: () => getJob(workspaceId, 'job_2'),
    expected: importOfKey,
  },
  {
    name: 'audit entry',
    keys: ['auditKey'],
    write: async () => {
      await putAudit(workspaceId, entry);
      await settleAudit(workspaceId, 'aud_1', 'done');
      await putAudit(null, { ...entry, subject: null, note: null });
    },
    read: async () => [
      await pageOfAudit(workspaceId, { limit: 5, after: undefined }),
      await pageOfAudit(null, { limit: 5, after: undefined }),
    ],
    expected: [
      { entries: [{ ...entry, outcome: 'done' }], next: null },
      { entries: [{ ...entry, subject: null, note: null }], next: null },
    ],
  },
  {
    name: 'operator',
    keys: ['operatorKey', 'sessionEpochKey'],
    write: async () => {
      await putInvitation(invited);
      await putInvitation({ ...invited, email: 'new@example.net', workspaceId: null });
      await noteSignIn({ ...invited, identity: null, signedInAt: null }, issuer, seconds(60));
      await raiseSessionEpoch();
    },
    read: async () => ({
      operators: await listStoredOperators(),
      epoch: await readSessionEpoch(),
      standing: await readSessionState('none', 'grace@example.net'),
      isTaken: !(await putInvitation(invited)),
      changed: (await changeStoredOperator('grace@example.net', { role: 'owner', workspaceId: null }))?.role,
    }),
    expected: (() => {
      const operator = { ...invited, identity: issuer, signedInAt: iso(60) };
      return {
        operators: [
          operator,
          { ...invited, email: 'new@example.net', workspaceId: null, identity: null, signedInAt: null },
        ],
        epoch: 1,
        standing: { epoch: 1, session: null, operator },
        isTaken: true,
        changed: 'owner',
      };
    })(),
  },
  {
    name: 'session',
    keys: ['sessionKey'],
    write: async () => {
      await putSession('hash', session);
      await putSession('invited', { ...session, workspaceId: null, invitationId: invited.id });
    },
    read: async () => {
      const read = [await readSessionState('hash', null), await readSessionState('invited', 'grace@example.net')];
      await deleteSession('hash');
      return [...read, await readSessionState('hash', null)];
    },
    expected: [
      { epoch: 0, session, operator: null },
      { epoch: 0, session: { ...session, workspaceId: null, invitationId: 'opr_1' }, operator: null },
      { epoch: 0, session: null, operator: null },
    ],
  },
  {
    name: 'sign-in link',
    keys: ['signInKey'],
    write: () => putSignIn('hash', { name: 'grace', role: 'editor', workspaceId, expiresAt: seconds(60) }),
    read: () => takeSignIn('hash', at),
    expected: { name: 'grace', role: 'editor', workspaceId, expiresAt: seconds(60) },
  },
  {
    name: 'decision about all sending',
    keys: ['sendingKey'],
    write: () => putSendingDecision({ state: 'held', since: iso(0), by: 'grace', note: 'A test.' }),
    read: getSendingDecision,
    expected: { state: 'held', since: iso(0), by: 'grace', note: 'A test.' },
  },
];
