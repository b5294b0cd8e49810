import {
  DeleteSuppressedDestinationCommand,
  ListSuppressedDestinationsCommand,
  NotFoundException,
} from '@aws-sdk/client-sesv2';
import { provider } from './ses.ts';

/**
 * Removes an address from SES's own suppression list of the account, which applies whatever our lists say. Idempotent.
 * https://docs.aws.amazon.com/ses/latest/dg/sending-email-suppression-list.html
 */
export async function removeFromSesSuppressionList(email: string): Promise<void> {
  try {
    await provider.send(new DeleteSuppressedDestinationCommand({ EmailAddress: email }));
  } catch (error) {
    if (!(error instanceof NotFoundException)) throw error;
  }
}

/** What SES added to its own suppression list of the account since then. */
export async function* addedToSesSuppressionList(
  since: Date,
): AsyncGenerator<{ readonly email: string; readonly reason: 'bounce' | 'complaint'; readonly at: Date }> {
  let NextToken: string | undefined;
  do {
    const page = await provider.send(new ListSuppressedDestinationsCommand({ StartDate: since, NextToken }));
    for (const { EmailAddress, Reason, LastUpdateTime } of page.SuppressedDestinationSummaries ?? []) {
      if (EmailAddress === undefined) continue;
      yield {
        email: EmailAddress,
        reason: Reason === 'COMPLAINT' ? 'complaint' : 'bounce',
        at: LastUpdateTime ?? since,
      };
    }
    NextToken = page.NextToken;
  } while (NextToken);
}
