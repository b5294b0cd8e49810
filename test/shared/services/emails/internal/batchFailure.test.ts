import { PassingError } from '../../../../../shared/contract/errors.ts';
import { RecipientCheck } from '../../../../../shared/services/emails/checks.ts';
import type { StopReason } from '../../../../../shared/services/emails/deliver.ts';
import { envelopesAt } from '../../../../../shared/services/emails/internal/batchClaim.ts';
import type { BatchEmailOutcome } from '../../../../../shared/services/emails/internal/batchDelivery.ts';
import { checkOutcome } from '../../../../../shared/services/emails/internal/batchFailure.ts';
import type { SendFailure } from '../../../../../shared/services/emails/sendFailure.ts';

const refused: StopReason = { kind: 'refused', providerCode: 'MessageRejected' };
const deferred: StopReason = { kind: 'deferred', providerCode: 'TooManyRequestsException' };
const unknown: StopReason = { kind: 'unknown', providerCode: 'ECONNRESET' };

/** The email at this position of a batch, to one recipient. */
const outcome = (index: number, stop: StopReason | null): BatchEmailOutcome => ({
  index,
  stop,
  isRecorded: true,
  attempt: {
    email: {
      id: `email_${index}`,
      envelopes: [[`p${index}@example.net`]],
    } as unknown as BatchEmailOutcome['attempt']['email'],
    accepted: [stop === null],
    inDoubt: [],
    minute: 0,
    startedAt: new Date(),
    recipientCheck: new RecipientCheck(
      () => 0,
      async () => ({ opens: true, clicks: true }),
    ),
    isStillOurs: async () => true,
  },
});

const failureOf = (stops: readonly (StopReason | null)[]): SendFailure =>
  failureIn(stops.map((stop, index) => outcome(index, stop)));

function failureIn(sent: readonly BatchEmailOutcome[]): SendFailure {
  try {
    checkOutcome({ sent, scheduled: [] }, [], []);
  } catch (error) {
    return error as SendFailure;
  }
  throw new Error('Nothing was thrown.');
}

describe('a batch that was not sent whole', () => {
  it('promises success later only if no email was refused for its content', () => {
    expect(failureOf([deferred, deferred])).toMatchObject({ extent: 'nothing', retryAfterSeconds: 5 });
    expect(failureOf([deferred, refused])).toMatchObject({
      extent: 'nothing',
      isForGood: true,
      retryAfterSeconds: undefined,
      details: { provider_code: 'TooManyRequestsException' },
    });
  });

  it('has the outcome of each email, and stays open while one is unknown', () => {
    const failure = failureOf([null, refused, unknown]);
    expect(failure).toMatchObject({ extent: 'unknown', isOpenEnded: true });
    expect(failure.details).toMatchObject({
      accepted: ['p0@example.net'],
      refused: ['p1@example.net'],
      unknown: ['p2@example.net'],
      emails: [
        { index: 0, id: 'email_0', status: 'sent' },
        { index: 1, id: 'email_1', status: 'not_sent', provider_code: 'MessageRejected' },
        { index: 2, id: 'email_2', status: 'unknown', provider_code: 'ECONNRESET' },
      ],
    });
    expect(failureOf([null, refused]).isOpenEnded).toBe(false);
  });

  it('counts emails that wait for the rate as scheduled', () => {
    const kept = { ...outcome(1, null), isKept: true };
    expect(() => checkOutcome({ sent: [outcome(0, null), kept], scheduled: [] }, [], [])).not.toThrow();
    const failure = failureIn([kept, outcome(2, refused)]);
    expect(failure).toMatchObject({ extent: 'partial', isOpenEnded: false });
    expect(failure.details).toMatchObject({
      accepted: ['p1@example.net'],
      refused: ['p2@example.net'],
      emails: [
        { index: 1, id: 'email_1', status: 'scheduled' },
        { index: 2, id: 'email_2', status: 'not_sent', provider_code: 'MessageRejected' },
      ],
    });
  });

  it('is told of the backlog when too much waits for all of them, else what became of each', () => {
    const backlog = new PassingError('backlog', { retryAfterSeconds: 30 });
    const full = (index: number) => ({ ...outcome(index, deferred), backlog });
    expect(failureIn([full(0), full(1)])).toBe(backlog);
    expect(failureIn([outcome(0, null), full(1)]).details).toMatchObject({
      accepted: ['p0@example.net'],
      refused: ['p1@example.net'],
    });
  });

  it('is none when every email was sent', () => {
    expect(() => checkOutcome({ sent: [outcome(0, null)], scheduled: [] }, [], [])).not.toThrow();
  });
});

it('finds the envelopes of each email among the positions in doubt of its batch', () => {
  const positions = [0, 4, 6, 9, 396, 398];
  expect([0, 1, 2, 3, 99].map((index) => envelopesAt(index, positions))).toEqual([[0], [0, 2], [1], [], [0, 2]]);
});
