import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { divide, testSizes, winnerOf } from '../../../../shared/domain/campaign/campaign.ts';

const people = (count: number) => Array.from({ length: count }, (_, index) => `person${index}@example.net`);

describe('an A/B test', () => {
  it('gives each variant its exact share, and everybody at most one variant', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 4 }),
        fc.double({ min: 0.1, max: 0.5, noNaN: true }),
        fc.integer({ min: 4, max: 500 }),
        (variants, share, count) => {
          const groups = divide({ campaignId: 'camp_1', variants, share }, people(count));
          const sizes = testSizes({ variants, share }, count);
          const found = Array.from(
            { length: variants },
            (_, variant) => groups?.filter((one) => one === variant).length,
          );
          expect(found).toEqual(sizes);
          expect(Math.max(...(sizes ?? [])) - Math.min(...(sizes ?? []))).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('ranks by the hash of campaign and address, and gives equal ranks their groups in the order given', () => {
    const plan = { campaignId: 'camp_1', variants: 3, share: 0.5 };
    const list = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 3, maxLength: 60 });
    fc.assert(
      fc.property(list, (numbers) => {
        const emails = numbers.map((number) => `person${number}@example.net`);
        const rankOf = (email: string) => createHash('sha256').update(`camp_1#${email}`).digest().readBigUInt64BE();
        const ranked = [...emails.keys()].sort((one, other) => {
          const [a, b] = [rankOf(emails[one] ?? ''), rankOf(emails[other] ?? '')];
          return a === b ? one - other : a < b ? -1 : 1;
        });
        const variants = (testSizes(plan, emails.length) ?? []).flatMap((size, variant) => Array(size).fill(variant));
        const expected = emails.map((_, index) => variants[ranked.indexOf(index)] ?? null);
        expect(divide(plan, emails)).toEqual(expected);
      }),
    );
  });

  it('divides the same people in the same way, whatever their order', () => {
    const plan = { campaignId: 'camp_1', variants: 3, share: 0.4 };
    const list = people(200);
    const reversed = list.toReversed();
    const groups = new Map(list.map((email, index) => [email, divide(plan, list)?.[index]]));
    expect(reversed.map((email, index) => [email, divide(plan, reversed)?.[index]])).toEqual(
      reversed.map((email) => [email, groups.get(email)]),
    );
  });

  it('divides them differently for another campaign', () => {
    const of = (campaignId: string) => divide({ campaignId, variants: 2, share: 0.5 }, people(100));
    expect(of('camp_1')).not.toEqual(of('camp_2'));
  });

  it('needs one person for each variant', () => {
    expect(divide({ campaignId: 'camp_1', variants: 4, share: 0.5 }, people(3))).toBeNull();
    expect(testSizes({ variants: 4, share: 0.1 }, 4)).toEqual([1, 1, 1, 1]);
  });

  it.each([
    [[10, 1], [10, 3], 1],
    [[10, 3], [10, 3], 0],
    [[0, 0], [0, 0], 0],
    [[100, 10], [10, 2], 1],
  ])('of %j and %j the winner is %d', ([delivered = 0, votes = 0], [otherDelivered = 0, otherVotes = 0], winner) => {
    expect(
      winnerOf([
        { delivered, votes },
        { delivered: otherDelivered, votes: otherVotes },
      ]),
    ).toBe(winner);
  });
});
