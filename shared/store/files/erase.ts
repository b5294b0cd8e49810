import { inParallel } from '../../platform/parallel.ts';
import { deleteFile } from './delete.ts';
import { filesOfWorkspace } from './keys.ts';
import { listFiles } from './list.ts';

const callsAtOnce = 16;

/** Deletes a page of each kind of a workspace's files; the number of those found, 0 when none was left. */
export async function eraseFiles(workspaceId: string): Promise<number> {
  const keys = (await Promise.all(filesOfWorkspace(workspaceId).map(listFiles))).flat();
  await inParallel(callsAtOnce, keys, deleteFile);
  return keys.length;
}
