import { readSendingAccount, type SendingAccount } from '../../email/providerAccount.ts';
import type { DeploymentContext } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';

/** What SES lets the account send, for all workspaces together, and what was sent in the last 24 hours. */
export async function showSendingAccount(context: DeploymentContext) {
  requireOperator(context, 'read');
  return shownAccount(await readSendingAccount());
}

export const shownAccount = (account: SendingAccount) => ({
  object: 'sending_account' as const,
  sandbox: !account.inProduction,
  sending_enabled: account.sendingEnabled,
  enforcement_status: account.enforcement,
  recipients_per_second: account.perSecond,
  recipients_per_24_hours: account.perDay,
  sent_last_24_hours: account.sentInDay,
});
