import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { existingWorkspace } from './existing.ts';

/** The workspace that an operator opens, for the frame of each page: one query. Throws `not_found`. */
export async function enterWorkspace(context: Context) {
  requireOperator(context, 'read');
  const { id, name } = await existingWorkspace(context.workspaceId);
  return { object: 'workspace' as const, id, name };
}
