import { epochSeconds, secondsInDay } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';

/** People and outcomes of a campaign are kept as long as single emails, counted from its freeze. */
export const campaignExpiry = (frozenAt: Date): number =>
  epochSeconds(frozenAt) + config('EMAIL_RETENTION_DAYS') * secondsInDay;
