import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';

/** Outcomes are kept as long as their email, counted from the feedback. */
export const outcomeExpiry = (now: Date): number => epochSeconds(now) + config('EMAIL_RETENTION_DAYS') * secondsInDay;
