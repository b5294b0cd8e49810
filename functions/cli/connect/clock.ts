import { request } from 'node:http';
import { resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import type { Advanced, ClockState } from '../../../infra/local/clock/clockRoute.ts';
import { runningService, startCommand } from './local.ts';

export type { Advanced, ClockState };

/** Asks the clock of the service that runs on this folder. Throws its error as one sentence. */
export async function callClock(data: string, body: { readonly advance: string }): Promise<Advanced>;
export async function callClock(data: string): Promise<ClockState>;
export async function callClock(data: string, body?: object): Promise<unknown> {
  const inbox = (await runningService(resolve(data)))?.environment.INBOX_URL;
  if (!inbox)
    throw new Error(
      `No service with a clock is running on this data folder: start it with ${startCommand(data, ' --clock')}`,
    );
  const { status, value } = await call(new URL('/clock', inbox), body);
  if (status === 200) return value;
  throw new Error((value as { error?: { message?: string } }).error?.message ?? `The service answered ${status}.`);
}

/** Without a time-out, which `fetch` has: a long advance through much mail takes minutes. */
async function call(url: URL, body: object | undefined): Promise<{ status: number; value: unknown }> {
  const answer = await new Promise<import('node:http').IncomingMessage>((done, failed) => {
    const outgoing = request(url, { method: body ? 'POST' : 'GET' }, done).on('error', failed);
    outgoing.end(body && JSON.stringify(body));
  });
  return { status: answer.statusCode ?? 0, value: JSON.parse(await readText(answer)) };
}
