import { showSendingAccount } from '../../../shared/services/sending/account.ts';
import { action, type Noun } from '../action.ts';
import { operator } from '../context.ts';
import { fields, type Output } from '../output.ts';

export const accountNoun: Noun = (program) => {
  program.command('account').description('what SES lets this account send: sandbox, rate, day').action(action(show));
};

async function show(): Promise<Output> {
  const account = await showSendingAccount(operator());
  const perDay = account.recipients_per_24_hours;
  const lines = fields([
    ['Access', account.sandbox ? 'sandbox' : 'production'],
    ['Sending', account.sending_enabled ? 'allowed' : 'paused'],
    ['Standing', account.enforcement_status],
    ['Rate', `${account.recipients_per_second} recipients a second`],
    ['Day', `${account.sent_last_24_hours} of ${perDay ?? 'any number of'} recipients in the last 24 hours`],
  ]);
  return { json: account, text: [lines, ...warnings(account)].join('\n\n') };
}

function warnings(account: Awaited<ReturnType<typeof showSendingAccount>>): string[] {
  return [
    account.sandbox &&
      'Warning: in the sandbox mail reaches verified addresses only. Ask for production access in the SES console.',
    !account.sending_enabled && 'Warning: SES sends nothing for this account until its pause is lifted.',
    account.enforcement_status !== 'HEALTHY' &&
      'Warning: SES reviews this account for its bounces or complaints; see the SES console, Reputation metrics.',
  ].filter((text) => text !== false);
}
