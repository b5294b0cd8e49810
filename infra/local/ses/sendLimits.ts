import type { SesDatabase } from './database.ts';
import { SesError } from './errors.ts';
import type { FaultControl } from './faults.ts';

const minutesPerDay = 24 * 60;

export interface SendLimits {
  /** Throws SendingPaused or TooManyRequests, else counts the recipients against the rate. */
  admit(recipientCount: number, quotaCount: number): void;
  /** Records accepted recipients; called inside the transaction that stores the message. */
  record(quotaCount: number): void;
  sentLast24Hours(): number;
}

/**
 * SES's account limits. As at SES, a message with several recipients passes while any of the rate is left, and delays later
 * ones; mail to the simulator counts against the rate but not against the day.
 */
export function createSendLimits(database: SesDatabase, faults: FaultControl, now: () => number): SendLimits {
  let tokens = Number.POSITIVE_INFINITY;
  let filledAt = now();
  const sentByMinute = readSentByMinute(database, minuteOf(now()));
  let sent = [...sentByMinute.values()].reduce((sum, count) => sum + count, 0);

  const forgetBefore = (minute: number) => {
    for (const [key, count] of sentByMinute) {
      if (key > minute - minutesPerDay) return;
      sentByMinute.delete(key);
      sent -= count;
    }
  };
  const takeRate = (count: number) => {
    const rate = faults.state.rate_per_second;
    const at = now();
    if (rate === null) return;
    tokens = Math.min(rate, tokens + ((at - filledAt) / 1000) * rate);
    filledAt = at;
    if (tokens < Math.min(1, rate)) throw new SesError('TooManyRequestsException', 'Maximum sending rate exceeded.');
    tokens -= count;
  };
  return {
    admit: (recipientCount, quotaCount) => {
      const { sending_paused, max_24_hour_send } = faults.state;
      if (sending_paused) throw new SesError('SendingPausedException', 'Sending is paused for this account.');
      forgetBefore(minuteOf(now()));
      if (max_24_hour_send !== null && sent + quotaCount > max_24_hour_send) {
        throw new SesError('TooManyRequestsException', 'Daily message quota exceeded.');
      }
      takeRate(recipientCount);
    },
    record: (quotaCount) => {
      const minute = minuteOf(now());
      sentByMinute.set(minute, (sentByMinute.get(minute) ?? 0) + quotaCount);
      sent += quotaCount;
      database.run(
        `INSERT INTO sent_by_minute (minute, recipients) VALUES (?, ?)
         ON CONFLICT (minute) DO UPDATE SET recipients = recipients + excluded.recipients`,
        minute,
        quotaCount,
      );
    },
    sentLast24Hours: () => {
      forgetBefore(minuteOf(now()));
      return sent;
    },
  };
}

const minuteOf = (milliseconds: number) => Math.floor(milliseconds / 60_000);

function readSentByMinute(database: SesDatabase, minute: number): Map<number, number> {
  database.run('DELETE FROM sent_by_minute WHERE minute <= ?', minute - minutesPerDay);
  const rows = database.all('SELECT minute, recipients FROM sent_by_minute ORDER BY minute');
  return new Map(rows.map((row) => [Number(row.minute), Number(row.recipients)]));
}
