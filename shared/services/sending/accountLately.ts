import { readSendingAccount } from '../../email/providerAccount.ts';
import { remembered } from '../../platform/remembered.ts';
import type { DeploymentContext } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { shownAccount } from './account.ts';

/** SES answers one such call a second for the whole account, and campaigns ask too. */
const oldMilliseconds = 60_000;
const read = remembered(oldMilliseconds, readSendingAccount);

/** As `showSendingAccount`, as it stood at most a minute ago: for what is looked at often. */
export async function showSendingAccountLately(context: DeploymentContext) {
  requireOperator(context, 'read');
  return shownAccount(await read());
}
