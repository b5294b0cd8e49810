import { ValidationError } from '../../contract/errors.ts';
import { webhookUrlProblemTexts } from '../../domain/webhook/webhookUrl.ts';
import { leadsToForbiddenAddress } from '../../outbound/hostCheck.ts';
import { config } from '../../platform/config.ts';

/** Refuses a URL whose name leads to a private address now; what it leads to later is checked at each attempt. */
export async function checkHost(url: string): Promise<void> {
  if (!(await leadsToForbiddenAddress(url, config('ALLOW_LOOPBACK')))) return;
  throw new ValidationError([{ path: 'url', text: webhookUrlProblemTexts.url_host_not_public }]);
}
