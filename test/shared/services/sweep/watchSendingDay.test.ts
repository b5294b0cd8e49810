import { GetAccountCommand } from '@aws-sdk/client-sesv2';
import { jest } from '@jest/globals';

const { provider } = await import('../../../../shared/email/ses.ts');
const { logger } = await import('../../../../shared/platform/logger.ts');
const { sweepSendingDay } = await import('../../../../shared/services/sweep/watchSendingDay.ts');

/** The notices at this minute of an hour with this quota, and how often SES was asked. */
async function noticesAt(minute: number, quota: { Max24HourSend: number; SentLast24Hours: number }) {
  const send = jest.spyOn(provider, 'send').mockImplementation(async (command: unknown) => {
    if (!(command instanceof GetAccountCommand)) throw new Error('Not GetAccount.');
    return { SendQuota: { ...quota, MaxSendRate: 14 } };
  });
  const error = jest.spyOn(logger, 'error').mockImplementation(() => {});
  try {
    await sweepSendingDay(new Date(Date.UTC(2026, 10, 23, 12, minute)));
    const lines = error.mock.calls as unknown as [string, Record<string, unknown>][];
    const notices = lines.map(([, { SendingDayNearlyUsed, sent, allowed }]) => ({
      SendingDayNearlyUsed,
      sent,
      allowed,
    }));
    return { notices, calls: send.mock.calls.length };
  } finally {
    send.mockRestore();
    error.mockRestore();
  }
}

describe('SES’s quota of a day', () => {
  it('is noticed twice an hour while four fifths of it are used', async () => {
    const nearly = { Max24HourSend: 50_000, SentLast24Hours: 40_000 };
    const notice = { SendingDayNearlyUsed: 1, sent: 40_000, allowed: 50_000 };
    expect(await noticesAt(0, nearly)).toEqual({ notices: [notice], calls: 1 });
    expect(await noticesAt(30, nearly)).toEqual({ notices: [notice], calls: 1 });
    expect(await noticesAt(29, nearly)).toEqual({ notices: [], calls: 0 });
  });

  it('is not noticed below that, nor where there is none', async () => {
    expect((await noticesAt(0, { Max24HourSend: 50_000, SentLast24Hours: 39_999 })).notices).toEqual([]);
    expect((await noticesAt(0, { Max24HourSend: -1, SentLast24Hours: 1_000_000 })).notices).toEqual([]);
  });
});
