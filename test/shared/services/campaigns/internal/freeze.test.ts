import type { AbTest } from '../../../../../shared/domain/campaign/campaign.ts';
import { withDeadline } from '../../../../../shared/platform/deadline.ts';
import type { Selection } from '../../../../../shared/services/audience.ts';
import { checkSize } from '../../../../../shared/services/campaigns/internal/checks.ts';
import { freezePeople } from '../../../../../shared/services/campaigns/internal/freeze.ts';
import { draftCampaign } from '../../../domain/campaign/draftCampaign.ts';

const test: AbTest = { variants: 2, share: 0.2, decideBy: 'opens', waitHours: 1, decideAt: null, winner: null };
const [plain, tested] = [null, test].map((own) => draftCampaign('ws_1', new Date(), own)) as [
  ReturnType<typeof draftCampaign>,
  ReturnType<typeof draftCampaign>,
];

/** One shard of some pages; tells how many were read. */
function selectionOf(pages: number) {
  const read = { pages: 0 };
  async function* shard() {
    while (read.pages < pages) {
      read.pages += 1;
      yield { members: [`p${String(read.pages).padStart(3, '0')}@example.net`], excluded: [] };
    }
  }
  const selection: Selection = { requested: 0, duplicates: 0, streams: [shard()] };
  return { read, selection };
}

const tooLarge = { code: 'validation_error', details: { reason: 'audience_too_large' } };
/** Nothing is written: all are above the quota, and so only counted. */
const quota = 0;

describe('a freeze with less than four seconds left', () => {
  it.each([
    ['', plain],
    [' of an A/B test', tested],
  ])('by a call%s ends with a sentence instead of a timeout, and reads no more', async (_, campaign) => {
    const { read, selection } = selectionOf(100);
    const target = { campaign, freezeId: 'f', at: new Date(), freezer: 'call' } as const;
    const refused = await withDeadline(3_900, () =>
      freezePeople(target, selection, quota).catch((error: unknown) => error),
    );
    expect(refused).toMatchObject(tooLarge);
    expect(read.pages).toBeLessThan(5);
  });

  it('by a worker goes on', async () => {
    const { selection } = selectionOf(100);
    const target = { campaign: plain, freezeId: 'f', at: new Date(), freezer: 'worker' } as const;
    expect(await withDeadline(3_900, () => freezePeople(target, selection, quota))).toMatchObject({ people: 100 });
  });
});

describe('an audience', () => {
  it.each([
    ['call', plain, 5_000_000],
    ['call', tested, 2_500_000],
    ['worker', plain, 10_000_000],
    ['worker', tested, 5_000_000],
  ] as const)('that a %s freezes may have so many people and no more (%#)', (freezer, campaign, most) => {
    expect(() => checkSize(campaign, most, freezer)).not.toThrow();
    const refused = expect.objectContaining({ ...tooLarge, details: { reason: 'audience_too_large', limit: most } });
    expect(() => checkSize(campaign, most + 1, freezer)).toThrow(refused as unknown as Error);
  });

  it('too large for a call is to be scheduled, one too large for all to be a segment', () => {
    const textOf = (people: number) => {
      try {
        return checkSize(plain, people, 'call');
      } catch (error) {
        return (error as { text: { en: string; fr: string } }).text;
      }
    };
    expect(textOf(5_000_001)).toMatchObject({
      en: expect.stringMatching(/schedule the campaign.*up to 10,000,000 recipients/),
      fr: expect.stringMatching(/programmez la campagne.*10\s000\s000 destinataires/),
    });
    expect(textOf(10_000_001)).toMatchObject({ en: expect.stringContaining('choose a segment') });
  });
});
