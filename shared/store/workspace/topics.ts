import type { Topic } from '../../domain/workspace/topic.ts';
import { overtaken } from '../../platform/deadline.ts';
import { workspaceKey } from '../table/keys.ts';
import { getItem } from '../table/table.ts';
import { changeItem } from '../table/write.ts';
import { topicsOf, type WorkspaceRecord } from './workspaces.ts';

/**
 * Replaces the topics of a workspace by what `decide` makes of them, and returns them. Nothing is written when it returns
 * the same list, or when another writer changed them meanwhile (`overtaken`).
 */
export async function replaceTopics(
  workspaceId: string,
  decide: (topics: readonly Topic[]) => readonly Topic[],
): Promise<readonly Topic[] | typeof overtaken> {
  const key = workspaceKey(workspaceId);
  const item = (await getItem(key)) ?? {};
  const before = topicsOf(item);
  const after = decide(before);
  if (after === before) return after;
  // The stored list is compared as it is: a later release may keep more of a topic.
  const stored = item.kinds as WorkspaceRecord['kinds'];
  const written = await changeItem<WorkspaceRecord>(key, { set: { kinds: [...after] }, expect: [['kinds', stored]] });
  return written ? after : overtaken;
}
