import { countMembers } from '../../store/person/audience.ts';
import { blockedMembers, select, type Target } from './select.ts';

/**
 * How many people a campaign would reach now. Exact: counted, not estimated. Everybody is counted where they stand, and
 * only who the platform has suppressed is read.
 */
export async function countAudience(target: Target, now: Date): Promise<number> {
  const { workspaceId, rule, to } = target;
  if (rule === null && to === null) {
    const [members, blocked] = await Promise.all([countMembers(workspaceId), blockedMembers(workspaceId)]);
    return Math.max(0, members - blocked.size);
  }
  const counts = select(target, now).streams.map(async (pages) => {
    let count = 0;
    for await (const { members } of pages) count += members.length;
    return count;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
