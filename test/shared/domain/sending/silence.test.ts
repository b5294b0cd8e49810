import { queues } from '../../../../infra/resources.ts';
import { disorderMilliseconds, silenceOf } from '../../../../shared/domain/sending/silence.ts';

const began = Date.parse('2026-11-21T10:00:00Z');
const later = (seconds: number) => began + seconds * 1000;

describe('a send of which nothing was heard', () => {
  it('is at work for a minute, whatever was heard of others', () => {
    expect(silenceOf(began, null, later(0))).toEqual({ kind: 'working', retryAfterSeconds: 60 });
    expect(silenceOf(began, later(3600), later(59.2))).toEqual({ kind: 'working', retryAfterSeconds: 1 });
  });

  it('is unconfirmed until five minutes have passed; whoever waits looks again every half minute', () => {
    expect(silenceOf(began, null, later(60))).toEqual({ kind: 'unconfirmed', retryAfterSeconds: 30 });
    expect(silenceOf(began, null, later(285))).toEqual({ kind: 'unconfirmed', retryAfterSeconds: 15 });
    expect(silenceOf(began, null, later(299.9))).toEqual({ kind: 'unconfirmed', retryAfterSeconds: 1 });
    expect(silenceOf(began, null, later(300))).toEqual({ kind: 'given up' });
  });

  it('was not taken once the words on messages sent so much later have come in that none can be on its way', () => {
    expect(silenceOf(began, later(229), later(235))).toMatchObject({ kind: 'unconfirmed' });
    expect(silenceOf(began, later(230), later(235))).toEqual({ kind: 'not taken' });
    expect(silenceOf(began, later(230), later(3600))).toEqual({ kind: 'not taken' });
  });

  it('is not judged by what was heard of messages sent earlier', () => {
    expect(silenceOf(began, later(-3600), later(200))).toMatchObject({ kind: 'unconfirmed' });
  });
});

describe('the disorder that is reckoned with', () => {
  it('is longer than the queue keeps a word from the others after its worker died', () => {
    // Its visibility timeout is six times the worker's time-out (infra/resources.ts).
    expect(disorderMilliseconds).toBeGreaterThan(6 * queues.feedback.workerTimeoutSeconds * 1000);
  });
});
