import { queues } from '../../../../infra/resources.ts';
import {
  isUnknownForGood,
  longestEventDelayMilliseconds,
  unansweredSend,
} from '../../../../shared/domain/sending/settlement.ts';

const began = Date.parse('2026-11-21T10:00:00Z');
const later = (seconds: number) => began + seconds * 1000;

describe('a send without an outcome', () => {
  it('may be running for a minute, whatever the watermark', () => {
    expect(unansweredSend(began, null, later(0))).toEqual({ kind: 'working', retryAfterSeconds: 60 });
    expect(unansweredSend(began, later(3600), later(59.2))).toEqual({ kind: 'working', retryAfterSeconds: 1 });
  });

  it('is unconfirmed until five minutes have passed, with a `Retry-After` of 30 seconds at most', () => {
    expect(unansweredSend(began, null, later(60))).toEqual({ kind: 'unconfirmed', retryAfterSeconds: 30 });
    expect(unansweredSend(began, null, later(285))).toEqual({ kind: 'unconfirmed', retryAfterSeconds: 15 });
    expect(unansweredSend(began, null, later(299.9))).toEqual({ kind: 'unconfirmed', retryAfterSeconds: 1 });
    expect(unansweredSend(began, null, later(300))).toEqual({ kind: 'given up' });
  });

  it('was not taken when the watermark is so much later that no event can be on its way', () => {
    expect(unansweredSend(began, later(229), later(235))).toMatchObject({ kind: 'unconfirmed' });
    expect(unansweredSend(began, later(230), later(235))).toEqual({ kind: 'not taken' });
    expect(unansweredSend(began, later(230), later(3600))).toEqual({ kind: 'not taken' });
  });

  it('stays unknown for good after a day', () => {
    expect([86_399.999, 86_400].map((seconds) => isUnknownForGood(began, later(seconds)))).toEqual([false, true]);
  });

  it('is not judged by a watermark before it', () => {
    expect(unansweredSend(began, later(-3600), later(200))).toMatchObject({ kind: 'unconfirmed' });
  });
});

describe('the longest delay of an event', () => {
  it('is longer than the visibility timeout of the queue', () => {
    // Six times the worker's timeout (infra/resources.ts).
    expect(longestEventDelayMilliseconds).toBeGreaterThan(6 * queues.feedback.workerTimeoutSeconds * 1000);
  });
});
