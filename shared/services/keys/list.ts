import { listApiKeys } from '../../store/workspace/apiKeys.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { type ShownKey, shownKey } from './shown.ts';

/** The keys of a workspace, the revoked ones too, the oldest first. */
export async function listKeys(context: Context): Promise<ShownKey[]> {
  requireOperator(context, 'read');
  return (await listApiKeys(context.workspaceId)).map(shownKey);
}
