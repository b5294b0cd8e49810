import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { leaveUrl } from './link.ts';

/** The link of an address (canonical form), for support to hand on. */
export async function showLeaveLink(context: Context, { email }: { readonly email: string }): Promise<string> {
  requireOperator(context, 'change');
  return leaveUrl(context.workspaceId, email);
}
