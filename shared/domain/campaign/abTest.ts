import { createHash } from 'node:crypto';

/** How the people of a test are divided: by rank, so that the groups are exact, and the same whoever computes them. */
export interface TestPlan {
  readonly campaignId: string;
  readonly variants: number;
  /** Part of the list that gets a test message, 0.1 to 0.5. */
  readonly share: number;
}

/** How many get each variant; null when there are fewer people than variants. */
export function testSizes({ variants, share }: Omit<TestPlan, 'campaignId'>, people: number): number[] | null {
  const tested = Math.max(variants, Math.round(people * share));
  if (people < variants) return null;
  return Array.from(
    { length: variants },
    (_, variant) => Math.floor(tested / variants) + (variant < tested % variants ? 1 : 0),
  );
}

/**
 * Which variant each address tests, in the order given; null for those who wait for the winner. The rank is that of a
 * hash of campaign and address: no order of the list has a part in it.
 */
export function divide(plan: TestPlan, emails: readonly string[]): (number | null)[] | null {
  const sizes = testSizes(plan, emails.length);
  if (!sizes) return null;
  const ranked = emails
    .map((email, index) => ({ index, rank: rankOf(plan.campaignId, email) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.index - b.index));
  const groups = new Array<number | null>(emails.length).fill(null);
  let next = 0;
  for (const [variant, size] of sizes.entries()) {
    for (const { index } of ranked.slice(next, next + size)) groups[index] = variant;
    next += size;
  }
  return groups;
}

const rankOf = (campaignId: string, email: string): bigint =>
  createHash('sha256').update(`${campaignId}#${email}`).digest().readBigUInt64BE();

/** The people of one variant: who got it, and who opened or clicked by themselves; relays and scanners have no vote. */
export interface VariantResult {
  readonly delivered: number;
  readonly votes: number;
}

/** The variant with the best rate; a tie, and a test that nobody answered, goes to the first. */
export function winnerOf(results: readonly VariantResult[]): number {
  const rates = results.map(({ delivered, votes }) => (delivered === 0 ? 0 : votes / delivered));
  return rates.indexOf(Math.max(...rates));
}
