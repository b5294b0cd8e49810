import { firstIdAt } from '../../../../shared/domain/identifier.ts';
import { addressHash } from '../../../../shared/domain/person/erased.ts';
import { noPreferences, type Person } from '../../../../shared/domain/person/person.ts';
import { findSubscribers, memberPages } from '../../../../shared/store/person/audience.ts';
import { getCounted, readCounted, replaceCounted } from '../../../../shared/store/person/countedMessages.ts';
import {
  ensureLeaveLink,
  findConfirmLink,
  findLeaver,
  listDueConfirmations,
  putConfirmLink,
} from '../../../../shared/store/person/links.ts';
import { getMailbox, mailboxPart } from '../../../../shared/store/person/mailboxes.ts';
import { getAddress, keepErased, savePerson } from '../../../../shared/store/person/people.ts';
import { nobody } from '../../../../shared/store/person/personRecord.ts';
import { leaversOf, readRecipients } from '../../../../shared/store/person/recipients.ts';
import { pageOfSubscribers, searchSubscribers } from '../../../../shared/store/person/subscriberLists.ts';
import { findSuppressions, pageOfSuppressions } from '../../../../shared/store/person/suppressions.ts';
import { findActivities } from '../../../../shared/store/personEvents/activities.ts';
import { noteMail } from '../../../../shared/store/personEvents/mailActivity.ts';
import {
  getActivity,
  pageOfPersonEvents,
  putPersonEvent,
  readBeforeEvent,
} from '../../../../shared/store/personEvents/personEvents.ts';
import { countSignUp } from '../../../../shared/store/signUpWindows.ts';
import {
  ensureSalt,
  findAlias,
  findPlatformSuppressed,
  platformSuppressedPages,
  putPlatformSuppression,
} from '../../../../shared/store/suppression/platformSuppression.ts';
import { saltKey } from '../../../../shared/store/table/keys.ts';
import { transact } from '../../../../shared/store/table/transaction.ts';
import { storedItems } from '../tableItems.ts';
import { putRaw } from './raw.ts';
import { at, expiresAt, iso, type RecordKind, salt, seconds, workspaceId } from './recordKind.ts';

const tag = 'category:news';
const ada: Person = {
  workspaceId,
  email: 'ada.lovelace@example.net',
  version: 1,
  subscriber: {
    status: 'subscribed',
    firstName: 'Ada',
    lastName: 'Lovelace',
    tags: ['vip', 'News'],
    fields: { city: 'London', age: 36, member: true, constructor: 'own' },
    createdAt: iso(0),
    updatedAt: iso(1),
    confirmedAt: iso(2),
    unsubscribedAt: iso(-3),
    consents: [
      { how: 'import', by: 'people.csv', at: iso(-9) },
      {
        how: 'form',
        source: '192.0.2.1',
        form: '0123abcd',
        at: iso(2),
        requestedAt: iso(0),
        confirmedFrom: '192.0.2.7',
      },
    ],
  },
  suppression: null,
  confirmation: null,
  preferences: { opens: 'denied', clicks: 'denied', leftTags: [tag] },
};
const pending: Person = {
  ...ada,
  email: 'pending@example.net',
  subscriber: {
    status: 'pending',
    firstName: null,
    lastName: null,
    tags: [],
    fields: {},
    createdAt: iso(10),
    updatedAt: iso(10),
    confirmedAt: null,
    unsubscribedAt: null,
  },
  confirmation: {
    id: 'PJYdCJthYjXOvPsvDS8O-Q',
    round: 2,
    requestedAt: iso(10),
    claimedAt: iso(11),
    isEndKnown: true,
    isRepeated: true,
    sentAt: iso(12),
    dueAt: iso(13),
    claim: { how: 'api', by: 'key_1', source: '192.0.2.1', form: '0123abcd' },
  },
  preferences: noPreferences,
};
const blocked: Person = {
  ...ada,
  email: 'blocked@example.net',
  subscriber: null,
  suppression: { reason: 'bounce', at: iso(20) },
  preferences: noPreferences,
};
const people = [ada, pending, blocked];
const choosy: Person = {
  ...blocked,
  email: 'choosy@example.net',
  suppression: null,
  preferences: {
    opens: 'granted',
    clicks: 'denied',
    leftTags: [],
    proofs: [{ of: ['opens'], at: iso(3), source: 'The shop', text: 'Measure.', by: 'key_1', recordedAt: iso(4) }],
  },
};
const save = (person: Person) => savePerson(nobody(workspaceId, person.email), person, []);
const known = async ({ email }: Person) => (await getAddress(workspaceId, email)).person;
const emailsOf = ({ entries }: Awaited<ReturnType<typeof pageOfSubscribers>>) =>
  entries.map(({ person }) => person.email);
const subjects = {
  properties: new Set(['firstName', 'lastName', 'tags', 'createdAt', 'confirmedAt'] as const),
  fields: new Set(['city']),
  events: new Set<string>(),
};
const asSegmented = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  tags: ['vip', 'News'],
  fields: { city: 'London' },
  createdAt: iso(0),
  confirmedAt: iso(2),
};

async function members() {
  const found = [];
  for (const shard of memberPages(workspaceId, subjects)) for await (const page of shard) found.push(...page);
  return found;
}

async function platformList() {
  const found = [];
  for await (const page of platformSuppressedPages()) found.push(...page);
  return found;
}

const counted = [
  { id: 'run_01m7w6c3800000000000000001#2', at: at.getTime() },
  { id: 'camp_01m7w6c3800000000000000001', at: seconds(60).getTime() },
];
const visit = {
  ...{ workspaceId, email: ada.email, id: 'event_01m7w6c3800000000000000001', name: 'visit' },
  ...{
    data: { amount: 1.5, constructor: 'own' },
    externalId: 'order-1',
    timestamp: iso(-60),
    createdAt: iso(0),
    expiresAt,
  },
};
const unread = { isSubscriber: true, activity: null, recorded: null };
const mark = { hash: '0123abcd', expiresAt };

const knownSalt = () => putRaw({ ...saltKey, salt });

export const peopleKinds: readonly RecordKind[] = [
  {
    name: 'person',
    keys: ['addressItemKey', 'termKey', 'leaverKey'],
    write: async () => {
      for (const person of people) await save(person);
    },
    read: async () => ({
      people: await Promise.all(people.map(known)),
      listed: emailsOf(await pageOfSubscribers(workspaceId, { limit: 10 })),
      pending: emailsOf(await pageOfSubscribers(workspaceId, { limit: 10, status: 'pending' })),
      found: emailsOf(await searchSubscribers(workspaceId, 'lovel', { limit: 10 })),
      members: await members(),
      subscribers: [...(await findSubscribers(workspaceId, [ada.email], subjects)).values()],
      recipients: [...(await readRecipients(workspaceId, [ada.email])).values()],
      due: await listDueConfirmations(seconds(60), 10),
      left: [...(await leaversOf(workspaceId, tag))],
      suppressed: (await pageOfSuppressions(workspaceId, { limit: 10 })).entries,
    }),
    expected: {
      people,
      listed: [pending.email, ada.email],
      pending: [pending.email],
      found: [ada.email],
      members: [{ email: ada.email, person: asSegmented }],
      subscribers: [
        { email: ada.email, person: asSegmented, status: 'subscribed', isSuppressed: false, leftTags: [tag] },
      ],
      recipients: [
        {
          ...{ status: 'subscribed', isSuppressed: false, allowed: { opens: false, clicks: false }, leftTags: [tag] },
          person: { email: ada.email, firstName: 'Ada', lastName: 'Lovelace', fields: ada.subscriber?.fields },
        },
      ],
      due: [{ workspaceId, email: pending.email }],
      left: [ada.email],
      suppressed: [{ email: blocked.email, reason: 'bounce', scope: 'organization', createdAt: iso(20) }],
    },
  },
  {
    name: 'preferences',
    keys: ['addressItemKey'],
    write: async () => {
      await save(choosy);
    },
    read: () => known(choosy),
    expected: choosy,
  },
  {
    name: 'event',
    keys: ['personEventKey', 'externalEventKey', 'activityKey', 'activityPartition', 'personEventPrefix'],
    write: () => putPersonEvent(visit, unread, mark, at),
    read: async () => ({
      page: await pageOfPersonEvents(workspaceId, ada.email, { limit: 10, name: 'visit' }, at),
      before: await readBeforeEvent(visit, mark, at),
    }),
    expected: {
      page: { events: [visit], next: null },
      before: {
        isSubscriber: false,
        activity: { count: 1, first: iso(-60), last: iso(-60), lastId: visit.id, expiresAt },
        recorded: { id: visit.id, name: 'visit', timestamp: iso(-60), createdAt: iso(0) },
      },
    },
  },
  {
    name: 'mail activity',
    keys: ['addressItemKey', 'activityKey', 'activityPartition'],
    write: async () => {
      await save(ada);
      await noteMail({ workspaceId, email: ada.email, action: 'opened', at: seconds(-60) }, expiresAt, at);
    },
    read: async () => ({
      found: await findActivities(workspaceId, [ada.email], new Set(['email.opened', 'email.sent'])),
      whole: await getActivity(workspaceId, ada.email, 'email.opened'),
    }),
    expected: {
      found: new Map([[ada.email, new Map([['email.opened', { count: 1, last: iso(-60), expiresAt }]])]]),
      whole: {
        ...{ count: 1, first: iso(-60), last: iso(-60), expiresAt },
        ...{ lastId: firstIdAt('event', seconds(-60)), recordedAt: seconds(-60) },
      },
    },
  },
  {
    name: 'messages counted by the frequency cap',
    keys: ['capKey'],
    write: () => replaceCounted(workspaceId, ada.email, [], counted),
    read: async () => [await getCounted(workspaceId, ada.email), await readCounted(workspaceId, [ada.email])],
    expected: [counted, [counted]],
  },
  {
    name: 'platform suppression',
    keys: ['platformAddressKey', 'blockKey'],
    write: async () => {
      await knownSalt();
      await putPlatformSuppression('gone@example.net', 'bounce', at);
    },
    read: async () => ({
      list: await platformList(),
      found: [...(await findPlatformSuppressed(['gone@example.net', 'new@example.net']))],
      suppressions: await findSuppressions(workspaceId, ['gone@example.net']),
      raised: await putPlatformSuppression('gone@example.net', 'complaint', seconds(1)),
      lowered: await putPlatformSuppression('gone@example.net', 'manual', seconds(2)),
      kept: await findSuppressions(workspaceId, ['gone@example.net']),
    }),
    expected: {
      list: ['gone@example.net'],
      found: ['gone@example.net'],
      suppressions: [{ email: 'gone@example.net', reason: 'bounce', scope: 'platform', createdAt: iso(0) }],
      raised: true,
      lowered: false,
      kept: [{ email: 'gone@example.net', reason: 'complaint', scope: 'platform', createdAt: iso(0) }],
    },
  },
  {
    name: 'erased person',
    keys: ['blockKey'],
    write: async () => {
      await knownSalt();
      await keepErased({ ...blocked, suppression: { reason: 'complaint', at: iso(20), isErased: true } });
    },
    read: async () => ({
      alias: await findAlias(workspaceId, blocked.email),
      person: await known(blocked),
      // An address that was erased is put on the platform's list as a hash alone.
      named: [await putPlatformSuppression(blocked.email, 'bounce', at), await platformList()],
    }),
    expected: {
      alias: `erased-${addressHash(salt, blocked.email)}@erased.invalid`,
      person: {
        ...nobody(workspaceId, blocked.email),
        suppression: { reason: 'complaint', at: iso(20), isErased: true },
      },
      named: [true, []],
    },
  },
  {
    name: 'salt',
    keys: ['saltKey'],
    random: ['salt'],
    write: ensureSalt,
    read: ensureSalt,
    expected: expect.stringMatching(/^[\w-]{43}$/),
  },
  {
    name: 'confirmation link',
    keys: ['confirmLinkKey'],
    write: () => putConfirmLink({ workspaceId, confirmationId: 'c1', email: ada.email, validUntil: seconds(60) }),
    read: async () => ({
      link: await findConfirmLink(workspaceId, 'c1', at),
      // Expired, and not deleted yet.
      later: await findConfirmLink(workspaceId, 'c1', seconds(31 * 86_400)),
    }),
    expected: { link: { workspaceId, confirmationId: 'c1', email: ada.email, validUntil: seconds(60) }, later: null },
  },
  {
    name: 'unsubscribe link',
    keys: ['leaveLinkKey', 'leaveLinkOfKey'],
    random: ['link_id', 'pk'],
    write: () => ensureLeaveLink(workspaceId, ada.email),
    read: async () => {
      const own = (await storedItems()).find(({ link_id }) => link_id)?.link_id?.S ?? '';
      const linkId = await ensureLeaveLink(workspaceId, ada.email);
      return { isKept: linkId === own, length: linkId.length, email: await findLeaver(workspaceId, linkId) };
    },
    expected: { isKept: true, length: 22, email: ada.email },
  },
  {
    name: 'mailbox',
    keys: ['mailboxKey'],
    write: async () => {
      await knownSalt();
      for (const [email, changes] of [
        ['silent+tag@example.net', { unanswered: 3 }],
        ['declined@example.net', { unanswered: 1, blockedAt: iso(0) }],
      ] as const) {
        await transact(mailboxPart(await getMailbox(workspaceId, email, at), changes, seconds(60)));
      }
    },
    read: async () => ({
      silent: await getMailbox(workspaceId, 'silent@example.net', seconds(59)),
      // Expired, and not deleted yet.
      spoken: await getMailbox(workspaceId, 'silent@example.net', seconds(61)),
      declined: await getMailbox(workspaceId, 'declined+x@example.net', seconds(61)),
      unknown: await getMailbox(workspaceId, 'new@example.net', at),
    }),
    expected: (() => {
      const stored = { key: expect.anything(), version: 1, unanswered: 0, blockedAt: null };
      return {
        silent: { ...stored, unanswered: 3 },
        spoken: stored,
        declined: { ...stored, blockedAt: iso(0) },
        unknown: { ...stored, version: 0 },
      };
    })(),
  },
  {
    name: 'sign-up window',
    keys: ['signUpWindowKey'],
    write: () => countSignUp(`${workspaceId}#SOURCE#192.0.2.1`, 3600, at),
    read: () => countSignUp(`${workspaceId}#SOURCE#192.0.2.1`, 3600, seconds(60)),
    expected: { count: 2, endsAt: at.getTime() / 1000 + 3600 },
  },
];
