import { jest } from '@jest/globals';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { runRules } from '../../../../infra/local/scheduler/rules.ts';

const definition = { name: 'sweep', worker: 'sweep', everyMinutes: 1, workerTimeoutSeconds: 60 };
const minute = 60_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('runRules', () => {
  it('runs at the start and then at its interval, with a scheduled event', async () => {
    const calls: { event: ScheduledEvent; context: Context }[] = [];
    const rule = runRules({
      definition,
      now: () => Date.UTC(2026, 10, 21, 10, 0, 0, 123),
      handler: async (event, context) => {
        calls.push({ event, context });
      },
    });
    await jest.advanceTimersByTimeAsync(2 * minute);
    await rule.stop();
    await jest.advanceTimersByTimeAsync(5 * minute);
    expect(calls).toHaveLength(3);
    expect(calls[0]?.event).toMatchObject({
      version: '0',
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      time: '2026-11-21T10:00:00Z',
      resources: ['arn:aws:events:us-east-1:000000000000:rule/mailroom-sweep'],
      detail: {},
    });
    expect(calls[0]?.context.functionName).toBe('sweep');
  });

  it('never runs two at once, and continues afterwards', async () => {
    const finish: (() => void)[] = [];
    const rule = runRules({ definition, handler: () => new Promise<void>((resolve) => finish.push(resolve)) });
    await jest.advanceTimersByTimeAsync(3 * minute);
    expect(finish).toHaveLength(1);
    finish[0]?.();
    await jest.advanceTimersByTimeAsync(minute);
    expect(finish).toHaveLength(2);
    finish[1]?.();
    await rule.stop();
  });

  it('continues after a failed run, and logs it', async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const rule = runRules({
      definition,
      logger: { error: (...words: unknown[]) => errors.push(words) },
      handler: async () => {
        runs += 1;
        throw new Error('once');
      },
    });
    await jest.advanceTimersByTimeAsync(minute);
    await rule.stop();
    expect(runs).toBe(2);
    expect(errors).toHaveLength(2);
  });

  it('waits for the run in progress when it stops', async () => {
    let finish = () => {};
    let stopped = false;
    const rule = runRules({
      definition,
      handler: () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    });
    const stopping = rule.stop().then(() => {
      stopped = true;
    });
    await jest.advanceTimersByTimeAsync(10);
    expect(stopped).toBe(false);
    finish();
    await stopping;
    expect(stopped).toBe(true);
  });
});
