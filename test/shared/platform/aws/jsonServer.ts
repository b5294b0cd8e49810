import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { startProvider } from './provider.ts';

/** What a request to a service that speaks JSON asked for. */
interface Heard {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly operation: string;
  readonly input: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
  /** Milliseconds of a clock that only goes on. */
  readonly at: number;
}

export type Script = (response: ServerResponse, heard: Heard, request: IncomingMessage) => void;

/** A server that stands for such a service and answers as a test wants, lies included. */
export async function startJsonServer() {
  const heard: Heard[] = [];
  let script: Script = (response) => tell(response, {});
  const respond: RequestListener = async (request, response) => {
    const body = await buffer(request).catch(() => null);
    if (!body) return;
    const operation = String(request.headers['x-amz-target']).replace(/^\w+\./, '');
    const { method = '', url: path = '', headers } = request;
    const input = JSON.parse(body.toString() || '{}');
    heard.push({ method, path, operation, input, headers, at: performance.now() });
    script(response, heard.at(-1) as Heard, request);
  };
  const { endpoint, stop } = await startProvider(respond);
  return {
    endpoint,
    heard,
    stop,
    answerBy: (next: Script) => {
      heard.length = 0;
      script = next;
    },
  };
}

/** An answer of AWS's JSON 1.0. */
export function tell(response: ServerResponse, answer: object, status = 200, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', ...headers }).end(JSON.stringify(answer));
}

/** A service by a clock of its own, which refuses what was not signed within five minutes of it. */
export const byAnotherClock = (ahead: number, granted: Script, refused: Script): Script => {
  return (response, heard, request) => {
    const signed = String(heard.headers['x-amz-date']).replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5');
    const now = Date.now() + ahead;
    response.setHeader('date', new Date(now).toUTCString());
    (Math.abs(Date.parse(signed) - now) < 300_000 ? granted : refused)(response, heard, request);
  };
};

export const failureOf = (call: Promise<unknown>): Promise<Error & Record<string, unknown>> =>
  call.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error) => error,
  );

/** Waits are a random part of something: this part of it. */
export const waitingTheirPart = (part: number) => jest.spyOn(Math, 'random').mockReturnValue(part);
