import { countMembers } from '../../store/person/audience.ts';
import { countKept, select, type Target } from './select.ts';

/**
 * How many people a campaign would reach now. Exact: counted, not estimated. Everybody is counted where they stand, and
 * only who the platform has suppressed, or who has left the campaign's kind, is read.
 */
export async function countAudience(target: Target, now: Date): Promise<number> {
  const { workspaceId, rule, to } = target;
  if (rule === null && to === null) {
    const [members, kept] = await Promise.all([countMembers(workspaceId), countKept(target)]);
    return Math.max(0, members - kept);
  }
  const counts = select(target, now).streams.map(async (pages) => {
    let count = 0;
    for await (const { members } of pages) count += members.length;
    return count;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
