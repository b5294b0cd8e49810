import { readSendingAccount, type SendingAccount } from '../email/ses.ts';
import { remembered } from '../platform/parallel.ts';
import type { DeploymentContext } from './context.ts';
import { requireOperator } from './operatorVerb.ts';

/** SES's limits for the AWS account, which all workspaces share, and the recipients of the last 24 hours. */
export async function showSendingAccount(context: DeploymentContext) {
  requireOperator(context, 'read');
  return sendingAccountOf(await readSendingAccount());
}

const sendingAccountOf = (account: SendingAccount) => ({
  object: 'sending_account' as const,
  sandbox: !account.inProduction,
  sending_enabled: account.sendingEnabled,
  enforcement_status: account.enforcement,
  recipients_per_second: account.perSecond,
  recipients_per_24_hours: account.perDay,
  sent_last_24_hours: account.sentInDay,
});

/** SES allows one such call a second for the whole account, and campaigns make them too. */
const rememberedMilliseconds = 60_000;
const readRecent = remembered(rememberedMilliseconds, readSendingAccount);

/** As `showSendingAccount`, up to a minute old: for pages that are opened often. */
export async function showRecentSendingAccount(context: DeploymentContext) {
  requireOperator(context, 'read');
  return sendingAccountOf(await readRecent());
}
