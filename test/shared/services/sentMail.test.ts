import { createHash } from 'node:crypto';
import type { Scope } from '../../../shared/contract/scopes.ts';
import { chunksOfGroup, type Freeze } from '../../../shared/domain/campaign/campaign.ts';
import { chunkPositions } from '../../../shared/domain/campaign/slice.ts';
import { addressReplacer, aliasOf } from '../../../shared/domain/person/erased.ts';
import { aroundUnits } from '../store/aroundCalls.ts';
import { startWorld, type World } from './campaigns/world.ts';
import { contextOf } from './context.ts';

let world: World;
let modules: Awaited<ReturnType<typeof load>>;
let units = { read: 0, write: 0 };

async function load() {
  const [sent, find, content, lists, emails, erase, table] = await Promise.all([
    import('../../../shared/services/sentMail.ts'),
    import('../../../shared/services/campaigns/findRecipient.ts'),
    import('../../../shared/store/campaign/frozenContent.ts'),
    import('../../../shared/store/emails/emailLists.ts'),
    import('../../../shared/store/emails/email.ts'),
    import('../../../shared/store/personalData/erase.ts'),
    import('../../../shared/store/table/table.ts'),
  ]);
  return { ...sent, ...find, ...content, ...lists, ...emails, ...erase, ...table };
}

beforeAll(async () => {
  world = await startWorld();
  modules = await load();
  aroundUnits(modules.documents, ({ operation }, consumed) => {
    units[/Query|Get/.test(operation) ? 'read' : 'write'] += consumed;
  });
});
afterAll(() => world.stop());

async function readUnitsOf(work: () => Promise<unknown>): Promise<number> {
  units = { read: 0, write: 0 };
  await work();
  return units.read;
}

const nameOf = (index: number) => createHash('sha256').update(String(index)).digest('hex').slice(0, 16);
const people = (count: number) => Array.from({ length: count }, (_, index) => `${nameOf(index)}@people.example`);

/** Writes the frozen people of a campaign, each group in order of its addresses. */
async function frozen(id: string, groups: readonly (readonly string[])[]) {
  const freeze: Freeze = {
    ...{ id, at: '2026-11-23T10:00:00.000Z', runners: 1, month: '2026-11' },
    groups: groups.map((emails, variant) => ({ variant, people: emails.length })),
  };
  let first = 0;
  for (const [index, group] of groups.entries()) {
    const emails = [...group].sort();
    const chunks = Array.from({ length: chunksOfGroup({ variant: 0, people: emails.length }) }, (_, number) => ({
      number: first + number,
      emails: emails.slice(number * chunkPositions, (number + 1) * chunkPositions),
    }));
    const position = { workspaceId: world.workspaceId, campaignId: id, freezeId: id };
    for (let start = 0; start < chunks.length; start += 25) {
      await modules.putChunks(position, chunks.slice(start, start + 25), 2e9);
    }
    first += chunks.length;
    expect(groups[index]?.length).toBe(emails.length);
  }
  return { workspaceId: world.workspaceId, id, freeze };
}

describe('one person among the frozen people of a campaign', () => {
  const all = people(100_000);
  const some = all.filter((_, index) => index % 9_001 === 7);
  const strangers = ['a@people.example', 'zz@people.example', `${nameOf(-1)}@people.example`];
  /** By variant an eighth each, and the rest for the winner. */
  const groupsOfTest = [0, 1, 2, 3, null].map((variant) =>
    all.filter((_, index) => (index % 8 < 4 ? index % 8 : null) === variant),
  );

  it.each([
    ['100,000', [all], 16],
    ['100,000 in a test of four variants', groupsOfTest, 24],
  ])(
    'of %s is found, or not, by few read units',
    async (name, groups, most) => {
      const campaign = await frozen(`camp_${groups.length}`, groups);
      let worst = 0;
      for (const email of [...some, ...strangers]) {
        const wanted = strangers.includes(email) ? null : { email, outcome: 'waiting', delivered: false };
        const read = await readUnitsOf(async () => {
          const found = await modules.findRecipient(campaign, email);
          if (wanted) expect(found).toMatchObject(wanted);
          else expect(found).toBeNull();
        });
        worst = Math.max(worst, read);
      }
      expect({ name, isCheap: worst <= most, worst }).toEqual({ name, isCheap: true, worst });
    },
    300_000,
  );

  it('is found among others who were erased, and not once erased', async () => {
    const emails = people(1501).sort();
    const campaign = await frozen('camp_erased', [emails]);
    const scanned = await modules.queryAll({ partition: `WS#${world.workspaceId}#CAMPAIGN#camp_erased#0` });
    const third = await modules.queryAll({ partition: `WS#${world.workspaceId}#CAMPAIGN#camp_erased#3` });
    const gone = [...emails.slice(0, 3), emails[499] ?? '', emails[1500] ?? ''];
    for (const email of gone) {
      const replacer = addressReplacer(email, aliasOf(createHash('sha1').update(email).digest('hex')));
      for (const item of [...scanned, ...third]) await modules.eraseFromItem(item, replacer);
    }
    for (const email of emails.slice(0, 20).concat(emails.slice(480, 520))) {
      const found = await modules.findRecipient(campaign, email);
      expect([email, found?.email]).toEqual([email, gone.includes(email) ? undefined : email]);
    }
    expect(await modules.findRecipient(campaign, emails[1500] ?? '')).toBeNull();
    expect(await modules.findRecipient(campaign, emails[1499] ?? '')).not.toBeNull();
  });
});

describe('what one person was sent', () => {
  const ada = 'ada@example.net';
  const moment = (minute: number) => new Date(Date.parse('2026-11-23T10:00:00.000Z') + minute * 60_000);

  async function emailAt(minute: number, workspaceId = world.workspaceId) {
    const at = moment(minute);
    const id = `email_${String(minute).padStart(26, '0')}`;
    const email = {
      ...{ workspaceId, id, from: 'a@example.com', to: [ada], cc: [], bcc: [], replyTo: [], subject: `${minute}` },
      ...{ tags: [], envelopes: [[ada]], createdAt: at.toISOString(), expiresAt: 2e9, isQuotaExempt: false },
    };
    await modules.acceptEnvelope(email, 0, `message ${id}`, 1);
    await modules.putListings(modules.listingsOf(email, [ada], { withTags: false }));
    return minute;
  }

  async function campaignAt(minute: number, emails: readonly string[]) {
    const campaign = await world.sending(emails.length, { at: moment(minute) });
    const position = { workspaceId: world.workspaceId, campaignId: campaign.id, freezeId: campaign.freeze.id };
    await modules.putChunks(position, [{ number: 0, emails: [...emails].sort() }], 2e9);
    return campaign;
  }

  const list = (
    over: object = {},
    scopes: readonly Scope[] = ['emails:send', 'campaigns:read', 'subscribers:read'],
  ) => {
    const actor = { kind: 'key', keyId: 'k', keyName: 'k', lastFour: '0000', scopes } as const;
    return modules.listSentMail({ ...contextOf(world.workspaceId), actor }, {
      ...{ limit: 50, after: undefined, recipient: ada },
      ...over,
    } as never);
  };
  type Entry = Awaited<ReturnType<typeof list>>['entries'][number];
  const minuteOf = ({ created_at }: Entry) => (Date.parse(created_at) - moment(0).getTime()) / 60_000;

  it('is her single emails and campaigns, newest first, page by page, and nothing of others', async () => {
    const minutes = [1, 4, 7, 8];
    for (const minute of minutes) await emailAt(minute);
    await emailAt(5, 'ws_other');
    const hers = [2, 6, 30];
    const sent = await campaignAt(2, [ada, 'bob@example.net']);
    for (const minute of hers.slice(1)) await campaignAt(minute, [ada]);
    for (let minute = 10; minute < 29; minute += 1) await campaignAt(minute, ['bob@example.net']);
    await world.addToSlice(sent, 0, 0, { accepted: new Set([0]), delivered: new Set([0]), 'open.0': new Set([0]) });

    const seen: Entry[] = [];
    let [after, pages]: [string | undefined, number] = [undefined, 0];
    do {
      const page = await list({ limit: 2, after });
      expect(page.entries.length).toBeLessThanOrEqual(2);
      seen.push(...page.entries);
      after = page.next ?? undefined;
      pages += 1;
    } while (after !== undefined && pages < 20);
    const wanted = [...minutes, ...hers].sort((one, other) => other - one);
    expect(seen.map(minuteOf)).toEqual(wanted);
    expect(seen.find((mail) => minuteOf(mail) === 2)).toEqual({
      ...{ object: 'campaign_recipient', campaign_id: sent.id, name: sent.name, from: sent.from, email: ada },
      ...{ subject: sent.subject, outcome: 'sent', reason: null, delivered: true, opened: true, clicked: false },
      ...{ bounced: false, complained: false, unsubscribed: false, created_at: moment(2).toISOString() },
    });
    const bounds = { since: moment(4).toISOString(), until: moment(8).toISOString() };
    expect((await list(bounds)).entries.map(minuteOf)).toEqual([7, 6, 4]);
    expect((await list({ recipient: 'nobody@example.net' })).entries).toEqual([]);
  });

  it('is of campaigns only for a key that may read them', async () => {
    for (const scopes of [['emails:send'], ['emails:send', 'campaigns:read']] as const) {
      const { entries } = await list({}, scopes);
      expect(entries.map(({ object }) => object)).toEqual(['email', 'email', 'email', 'email']);
    }
  });

  it('costs a page a few read units for each campaign and email', async () => {
    const read = await readUnitsOf(() => list());
    expect(read).toBeLessThanOrEqual(20 * 3 + 10);
  });
});

describe('the order of a freeze', () => {
  it('is that of the addresses, whatever comes in which stream and page', async () => {
    const { inOrder } = await import('../../../shared/services/campaigns/internal/inOrder.ts');
    async function* stream(values: readonly string[], size: number) {
      for (let start = 0; start < values.length; start += size) yield values.slice(start, start + size);
      yield [];
    }
    const all = people(5000);
    const streams = Array.from({ length: 16 }, (_, shard) =>
      stream(all.filter((_, index) => index % 17 === shard).sort(), 1 + shard * 13),
    );
    const merged: string[] = [];
    for await (const page of inOrder([...streams, stream([], 1)])) merged.push(...page);
    expect(merged).toEqual(all.filter((_, index) => index % 17 < 16).sort());
  });

  it('passes on the failure of a stream', async () => {
    const { inOrder } = await import('../../../shared/services/campaigns/internal/inOrder.ts');
    async function* failing() {
      yield ['a'];
      throw new Error('no page');
    }
    const read = async () => {
      for await (const _ of inOrder([failing()]));
    };
    await expect(read()).rejects.toThrow('no page');
  });
});
