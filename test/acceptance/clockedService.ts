import type { Advanced, ClockState } from '../../infra/local/clock/clockRoute.ts';
import { type OwnService, startService, type TestService } from './service.ts';

/** A service whose clock the test moves. */
export interface ClockedService extends OwnService {
  /** The service's time. */
  now(): Promise<Date>;
  /** Moves the clock, as `3 days`, and answers when all that was due is done. */
  advance(duration: string): Promise<Advanced>;
}

/** Like `startService`, with a clock. `dataDir` of an earlier one goes on with its time. */
export async function startClockedService(options: Parameters<typeof startService>[0] = {}): Promise<ClockedService> {
  const service = await startService({ ...options, clock: true });
  return {
    ...service,
    now: async () => new Date((await callClock<ClockState>(service, 'GET')).body.now),
    advance: async (duration) => {
      const { status, body } = await callClock<Advanced>(service, 'POST', { advance: duration });
      if (status !== 200) throw new Error(`The clock was not advanced: ${JSON.stringify(body)}`);
      return body;
    },
  };
}

/** A call of the clock's route; `body` as text is sent as it is. */
export async function callClock<Body>(
  { sesEndpoint }: Pick<TestService, 'sesEndpoint'>,
  method: string,
  body?: object | string,
): Promise<{ readonly status: number; readonly body: Body }> {
  const sent = typeof body === 'string' ? body : body && JSON.stringify(body);
  const response = await fetch(`${sesEndpoint}/clock`, { method, ...(sent !== undefined && { body: sent }) });
  return { status: response.status, body: (await response.json()) as Body };
}
