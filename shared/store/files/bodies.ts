import { deleteFile } from './delete.ts';
import { getFile } from './get.ts';
import { bodyKey } from './keys.ts';
import { putFile } from './put.ts';

/** Writes the body of an email that goes out later; again, it takes the place of the one before. */
export const putBody = (workspaceId: string, emailId: string, body: Uint8Array): Promise<void> =>
  putFile(bodyKey(workspaceId, emailId), body);

/** Null when there is none, or no more. */
export const getBody = (workspaceId: string, emailId: string): Promise<Buffer | null> =>
  getFile(bodyKey(workspaceId, emailId));

/** One that is not there is no matter. */
export const deleteBody = (workspaceId: string, emailId: string): Promise<void> =>
  deleteFile(bodyKey(workspaceId, emailId));
