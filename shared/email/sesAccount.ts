import {
  DeleteSuppressedDestinationCommand,
  GetAccountCommand,
  ListSuppressedDestinationsCommand,
  NotFoundException,
} from '@aws-sdk/client-sesv2';
import { provider } from './ses.ts';

/** SES's limits for the AWS account in this region, in recipients. */
export interface SendingAccount {
  /** False in the sandbox, where SES sends to verified addresses only. */
  readonly inProduction: boolean;
  readonly sendingEnabled: boolean;
  /** SES's own status: `HEALTHY`, `PROBATION` (under review) or `SHUTDOWN`. */
  readonly enforcement: string;
  readonly perSecond: number;
  /** Null for no limit. */
  readonly perDay: number | null;
  readonly sentInDay: number;
}

/** SES allows one such call a second for the whole account (SES Developer Guide, "Service quotas"). */
export async function readSendingAccount(): Promise<SendingAccount> {
  const answer = await provider.send(new GetAccountCommand({}));
  const { MaxSendRate = 1, Max24HourSend = 200, SentLast24Hours = 0 } = answer.SendQuota ?? {};
  return {
    inProduction: answer.ProductionAccessEnabled ?? false,
    sendingEnabled: answer.SendingEnabled ?? false,
    enforcement: answer.EnforcementStatus ?? 'HEALTHY',
    perSecond: MaxSendRate,
    // -1 stands for no limit (API reference, SendQuota).
    perDay: Max24HourSend === -1 ? null : Max24HourSend,
    sentInDay: SentLast24Hours,
  };
}

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
