import type { SesContext } from '../context.ts';

/** Reported when no limit is set: -1 is SES's own way to say that a day has none. */
const unlimited = { day: -1, rate: 1000 };
/** https://docs.aws.amazon.com/ses/latest/dg/request-production-access.html */
const sandboxed = { day: 200, rate: 1 };

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetAccount.html */
export function getAccount({ faults, limits }: SesContext) {
  const { sending_paused, max_24_hour_send, rate_per_second, sandbox } = faults.state;
  const usual = sandbox ? sandboxed : unlimited;
  return {
    DedicatedIpAutoWarmupEnabled: false,
    EnforcementStatus: 'HEALTHY',
    ProductionAccessEnabled: !sandbox,
    SendingEnabled: !sending_paused,
    SendQuota: {
      Max24HourSend: max_24_hour_send ?? usual.day,
      MaxSendRate: rate_per_second ?? usual.rate,
      SentLast24Hours: limits.sentLast24Hours(),
    },
    SuppressionAttributes: { SuppressedReasons: [] },
  };
}
