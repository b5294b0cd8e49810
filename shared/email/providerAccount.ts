import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import { provider } from './sesClient.ts';

/** What SES allows the whole AWS account in this region; counts are of recipients. */
export interface SendingAccount {
  /** False in the sandbox: mail reaches verified addresses only. */
  readonly inProduction: boolean;
  readonly sendingEnabled: boolean;
  /** SES's own word: `HEALTHY`, `PROBATION` (under review) or `SHUTDOWN`. */
  readonly enforcement: string;
  readonly perSecond: number;
  /** Null: no limit. */
  readonly perDay: number | null;
  readonly sentInDay: number;
}

/** SES answers one such call a second for the whole account (SES Developer Guide, "Service quotas"). */
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
