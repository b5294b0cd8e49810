import type { RecipientFilter } from '../../../../shared/domain/campaign/slice.ts';
import { operatorContext } from '../context.ts';
import { positions, startWorld, type World } from './world.ts';

let world: World;
let campaign: Awaited<ReturnType<World['sending']>>;
/** Operations on the table since the last call. */
let operations: string[] = [];

const people = 1_000_000;
/** Two complaints in a chunk of shard 5, one in the last chunk of the list, which lies in shard 15. */
const angry = [
  { chunk: 21, slice: 3, at: [0, 49] },
  { chunk: 1999, slice: 9, at: [7] },
];

beforeAll(async () => {
  world = await startWorld();
  campaign = await world.sending(people);
  const [{ putChunks }, { documents }, { aroundCalls }] = await Promise.all([
    import('../../../../shared/store/campaign/frozenContent.ts'),
    import('../../../../shared/store/table/table.ts'),
    import('../../store/aroundCalls.ts'),
  ]);
  const frozen = { workspaceId: world.workspaceId, campaignId: campaign.id, freezeId: campaign.freeze.id };
  const emails = (chunk: number) => Array.from({ length: 500 }, (_, place) => `p${chunk * 500 + place}@people.example`);
  const chunks = [0, ...angry.map(({ chunk }) => chunk)].map((number) => ({ number, emails: emails(number) }));
  await putChunks(frozen, chunks, 2e9);
  await world.addToSlice(campaign, 0, 0, { accepted: positions(0, 50), delivered: positions(0, 50) });
  await world.addToTally(campaign, 0, { sent: 50, delivered: 50 });
  for (const { chunk, slice, at } of angry) {
    const complained = new Set(at);
    await world.addToSlice(campaign, chunk, slice, { accepted: complained, complained });
    await world.addToTally(campaign, chunk % 16, { sent: at.length, delivered: at.length, complained: at.length });
  }
  aroundCalls(documents, (next) => (command) => {
    operations.push(command.operation);
    return next(command);
  });
});
afterAll(() => world.stop());

async function page(outcome: RecipientFilter | undefined, after = 0) {
  const { pageOfRecipients } = await import('../../../../shared/services/campaigns/campaignRecipients.ts');
  operations = [];
  return pageOfRecipients(operatorContext(world.workspaceId), { id: campaign.id, outcome, after, limit: 50 });
}

const made = (operation: string) => operations.filter((one) => one === operation).length;

describe('the recipients of a campaign to a million, by outcome', () => {
  it('counts each outcome without reading recipients', async () => {
    const { counts, all } = await page(undefined);
    expect(all).toBe(people);
    expect(Object.fromEntries(counts)).toEqual({ sent: 53, delivered: 53, complained: 3, waiting: people - 53 });
  });

  it('finds a few by reading the slices of 40 chunks a page, and addresses only of matching chunks', async () => {
    const found: string[] = [];
    let pages = 0;
    for (let after: number | null = 0; after !== null; pages += 1) {
      const { people: some, next } = await page('complained', after);
      found.push(...some.map(({ email }) => email));
      expect(made('Query')).toBeLessThanOrEqual(40);
      // The campaign, and the matching chunks.
      expect(made('GetItem')).toBeLessThanOrEqual(1 + some.length);
      after = next;
    }
    expect(found).toEqual(['p10650@people.example', 'p10699@people.example', 'p999957@people.example']);
    // Two of sixteen shards have a complaint: an eighth of 2,000 chunks, 40 a page.
    expect(pages).toBe(7);
  });

  it('fills a page of a frequent outcome from one chunk', async () => {
    const { people: first, next } = await page('delivered');
    expect([first.length, first[49]?.email]).toEqual([50, 'p49@people.example']);
    expect(next).not.toBeNull();
    expect(made('Query')).toBeLessThanOrEqual(8);
  });
});
