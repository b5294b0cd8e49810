import { minuteOf } from '../../../../shared/domain/sending/settlement.ts';
import type { Email } from '../../../../shared/store/emails/email.ts';
import type { Item } from '../../../../shared/store/table/table.ts';
import { startTestTable } from '../../store/testTable.ts';
import { operatorContext } from '../context.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [workspaces, people, records, links, emails, outcomes, events, lists, scheduled] = await Promise.all([
    import('../../../../shared/store/workspace/workspaces.ts'),
    import('../../../../shared/store/person/people.ts'),
    import('../../../../shared/store/person/personRecord.ts'),
    import('../../../../shared/store/person/links.ts'),
    import('../../../../shared/store/emails/email.ts'),
    import('../../../../shared/store/emails/outcomes.ts'),
    import('../../../../shared/store/emails/outcomeEvents.ts'),
    import('../../../../shared/store/emails/emailLists.ts'),
    import('../../../../shared/store/emails/scheduledEmails.ts'),
  ]);
  const counted = await import('../../../../shared/store/person/countedMessages.ts');
  const personEvents = await import('../../../../shared/store/personEvents/personEvents.ts');
  const [reservations, deliveries, frozen, campaigns, kinds, platform, rights, values, write, read] = await Promise.all(
    [
      import('../../../../shared/store/quota/reservations.ts'),
      import('../../../../shared/store/webhook/deliveries.ts'),
      import('../../../../shared/store/campaign/frozenContent.ts'),
      import('../../../../shared/store/campaign/campaigns.ts'),
      import('../../../../shared/store/personalData/internal/itemKind.ts'),
      import('../../../../shared/store/suppression/platformSuppression.ts'),
      Promise.all([
        import('../../../../shared/services/rights/erasePerson.ts'),
        import('../../../../shared/services/rights/exportPerson.ts'),
      ]),
      import('../../../../shared/domain/person/person.ts'),
      import('../../../../shared/store/table/write.ts'),
      import('../../../../shared/store/workspaceScan.ts'),
    ],
  );
  return {
    ...{ ...workspaces, ...people, ...records, ...links, ...emails, ...outcomes, ...events, ...lists, ...scheduled },
    ...{ ...reservations, ...deliveries, ...frozen, ...campaigns, ...kinds, ...platform, ...values, ...write },
    ...{ ...read, ...rights[0], ...rights[1], ...personEvents, ...counted },
  };
}

beforeAll(async () => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

const workspaceId = 'ws_1';
const ada = 'ada@example.net';
const at = new Date('2026-11-20T10:00:00.000Z');
const expiresAt = 1_826_755_200;
const createdAt = at.toISOString();
const emailId = (number: number) => `email_01m7w6c380000000000000000${number}`;
const newEmail = (number: number): Email => ({
  ...{ workspaceId, id: emailId(number), from: 'Acme <hello@example.com>', to: [ada], cc: [], bcc: [], replyTo: [] },
  ...{ subject: 'For Ada', tags: [{ name: 'customer', value: 'Ada' }], envelopes: [[ada]] },
  ...{ createdAt, expiresAt, isQuotaExempt: false },
});

/** Records of every kind that is about people, with Ada and with nobody else in them. */
async function writeEveryKind(): Promise<void> {
  const plain = { plan: 'free', language: 'en', createdAt } as const;
  await modules.putWorkspace({ id: workspaceId, publicId: 'public', name: 'Acme', ...plain });
  const before = modules.nobody(workspaceId, ada);
  const subscriber = { ...modules.newSubscriber('subscribed', at), firstName: 'Ada' };
  const preferences = { ...modules.noPreferences, leftTags: ['category:news'] };
  await modules.savePerson(before, { ...before, subscriber, preferences }, []);
  await modules.putConfirmLink({ workspaceId, confirmationId: 'c1', email: ada, validUntil: at });
  await modules.ensureLeaveLink(workspaceId, ada);
  await modules.putPlatformSuppression(ada, 'manual', at);

  await modules.acceptEnvelope(newEmail(1), 0, 'ses-1', minuteOf(at));
  const outcome = { workspaceId, emailId: emailId(1), address: ada, expiresAt };
  await modules.recordOutcome({ ...outcome, status: 'delivered', at, details: { answer: 'ok' } });
  await modules.keepNote(outcome, { kind: 'clicks', at, text: 'https://example.com/ada' });
  await modules.putListings(modules.listingsOf(newEmail(1), [ada], { withTags: true }));
  await modules.reserve(newEmail(2), { recipients: 1, counted: 1 }, 100, at, 'only');
  const list = { id: 'list', attempts: [{ email: newEmail(3), quota: { recipients: 1, counted: 1 } }] };
  await modules.reserveBatch(workspaceId, [list], 100, at);
  await modules.countLate(workspaceId, emailId(4), ada, at);
  const { isQuotaExempt: _, envelopes: __, ...own } = newEmail(5);
  const { from, to, cc, bcc, replyTo, subject, tags } = own;
  await modules.addScheduled(
    {
      ...{ workspaceId, id: emailId(5), content: { from, to, cc, bcc, replyTo, subject, tags }, state: 'scheduled' },
      ...{ scheduledAt: '2026-12-01T10:00:00.000Z', createdAt, updatedAt: createdAt, expiresAt, inDoubt: [], tries: 0 },
    },
    { stage: 'far', at: new Date('2026-12-01T10:00:00.000Z') },
  );

  const happened = {
    ...{ workspaceId, email: ada, id: 'event_1', name: 'visit', data: { name: 'Ada' }, externalId: 'Ada' },
    ...{ timestamp: createdAt, createdAt, expiresAt },
  };
  const nothing = { isSubscriber: true, activity: null, recorded: null };
  await modules.putPersonEvent(happened, nothing, { hash: 'hash', expiresAt }, at);
  const ofBob = { ...happened, email: 'bob@example.net', id: 'event_2', data: { friend: ada }, externalId: null };
  await modules.putPersonEvent(ofBob, nothing, null, at);

  await modules.replaceCounted(workspaceId, ada, [], [{ id: 'run_1#2', at: at.getTime() }]);

  await modules.addDelivery({
    ...{ workspaceId, webhookId: 'whk_1', deliveryId: 'whd_1', eventId: 'evt_1', eventType: 'email.delivered' },
    body: JSON.stringify({ id: 'evt_1', type: 'email.delivered', created_at: createdAt, data: { recipient: ada } }),
    ...{ lane: 'live', status: 'failed', tries: 1, replays: 0, log: [], responseStatus: 500, responseBody: ada },
    ...{ error: 'status', durationMilliseconds: 1, nextAttemptAt: null, claimedUntil: null, dueAt: null },
    ...{ createdAt: at, updatedAt: at, expiresAt: new Date(expiresAt * 1000) },
  });
  await modules.putChunks(
    { workspaceId, campaignId: 'camp_1', freezeId: 'f1' },
    [{ number: 0, emails: [ada] }],
    expiresAt,
  );
  const group = { variant: 0, people: 1 };
  await modules.addCampaign(
    {
      ...{ workspaceId, id: 'camp_1', name: 'Launch', subject: 'Hello', preheader: null, from, kind: 'regular' },
      ...{ status: 'sent', segmentId: null, test: null, track: {}, hold: null, createdAt, updatedAt: createdAt },
      freeze: { id: 'f1', at: createdAt, groups: [group], runners: 1, month: '2026-11' },
      ...{ scheduledAt: null, sentAt: createdAt },
    },
    {},
  );
}

async function itemsOfWorkspace(): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of modules.scanWorkspace(workspaceId)) items.push(...page.items);
  // What a scan of a workspace leaves out.
  const { storedItems } = await import('../../store/tableItems.ts');
  const { unmarshall } = await import('@aws-sdk/util-dynamodb');
  const terms = (await storedItems()).map((item) => unmarshall(item)).filter(({ pk }) => /#TERM#/.test(String(pk)));
  return [...items, ...terms];
}

const probeOf = (kind: string, item: Item) => `probe of ${kind} ${item.sk}`;

/** Stores a field that no code knows in every item about Ada. Answers the probes by their kinds. */
async function plantProbes(): Promise<Map<string, string[]>> {
  const probes = new Map<string, string[]>();
  for (const item of await itemsOfWorkspace()) {
    const key = { pk: String(item.pk), sk: String(item.sk) };
    const kind = modules.itemKind(key);
    // Another person's event that names her stays, without her.
    if (kind === 'own' || item.event_id === 'event_2' || item.last_id === 'event_2') continue;
    const probe = probeOf(kind, item);
    const emails = Array.isArray(item.emails) ? item.emails.map((email: Item) => ({ ...email, probe })) : undefined;
    await modules.changeItem<Item>(key, { set: [emails ? ['emails', emails] : ['probe', probe]] });
    probes.set(kind, [...(probes.get(kind) ?? []), probe]);
  }
  return probes;
}

async function exported(): Promise<string> {
  let text = '';
  for await (const piece of modules.exportPerson(operatorContext(workspaceId), { email: ada })) text += piece.text;
  return JSON.stringify(JSON.parse(text));
}

describe('a stored field that no rule names', () => {
  it('is in the export of the person and gone after their erasure, whatever the kind of the record', async () => {
    await writeEveryKind();
    const probes = await plantProbes();
    expect([...probes.keys()].sort()).toEqual([
      ...[
        'activity',
        'attempt',
        'cap',
        'chunk',
        'confirmLink',
        'delivery',
        'email',
        'externalEvent',
        'leaveLink',
        'listed',
        'outcome',
        'ownLink',
        'person',
        'personEvent',
      ],
      ...['scheduled', 'term'],
    ]);
    const text = await exported();
    const { records } = JSON.parse(text) as { records: readonly object[] };
    const messages = [{ id: 'run_1#2', at: createdAt }];
    expect(records).toContainEqual({ object: 'record', of: 'cap', probe: probes.get('cap')?.[0], messages });
    const all = [...probes.values()].flat();
    // A scan of a workspace leaves search terms out: they are the person's names once more.
    expect(all.filter((probe) => !probe.includes('\t') && !text.includes(probe))).toEqual([]);

    await modules.erasePerson(operatorContext(workspaceId), { email: ada });
    const { storedItems } = await import('../../store/tableItems.ts');
    const left = (await storedItems()).map((item) => JSON.stringify(item));
    expect(left.filter((item) => item.includes('probe of'))).toEqual([]);
    expect(left.filter((item) => item.includes(ada) || item.includes('Ada'))).toEqual([]);
  });
});
