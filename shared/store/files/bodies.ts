import type { Chunks } from '../../platform/memory/chunks.ts';
import { deleteFile } from './delete.ts';
import { getChunks } from './get.ts';
import { bodyKey } from './keys.ts';
import { putChunks } from './put.ts';

/** Writes the body of an email that goes out later; again, it takes the place of the one before. */
export const putBody = (workspaceId: string, emailId: string, body: Chunks): Promise<void> =>
  putChunks(bodyKey(workspaceId, emailId), body);

/** Null when there is none, or no more. */
export const getBody = (workspaceId: string, emailId: string): Promise<Chunks | null> =>
  getChunks(bodyKey(workspaceId, emailId));

/** One that is not there is no matter. */
export const deleteBody = (workspaceId: string, emailId: string): Promise<void> =>
  deleteFile(bodyKey(workspaceId, emailId));
