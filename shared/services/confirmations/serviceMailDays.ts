import { config } from '../../platform/config.ts';

/** How long the record of a service message is kept: no longer than an unconfirmed sign-up. */
export const serviceMailDays = (): number =>
  Math.min(config('EMAIL_RETENTION_DAYS'), config('UNCONFIRMED_DAYS') || Number.POSITIVE_INFINITY);
