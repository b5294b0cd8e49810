import { secondsToWait } from './error.js';

/** Not 502: the provider may have taken the message. */
const passing: ReadonlySet<number> = new Set([429, 500, 503, 504]);
const [tries, longestWaitSeconds] = [3, 120];

/**
 * Makes a call up to three times, honouring `Retry-After`. A POST without an `Idempotency-Key` could act twice: it is made
 * again only after 429, when nothing was done.
 */
export async function send(request: Request): Promise<Response> {
  const isRepeatable = request.method !== 'POST' || request.headers.has('Idempotency-Key');
  for (let tried = 1; ; tried += 1) {
    const answer = await answerTo(request);
    const [status, asked] = 'cause' in answer ? [503, null] : [answer.status, secondsToWait(answer.headers)];
    const mayPass = isRepeatable ? passing.has(status) : status === 429;
    const seconds = asked ?? (0.5 + Math.random() / 2) * tried;
    if (mayPass && tried < tries && seconds <= longestWaitSeconds) await pause(seconds, request.signal);
    else if ('cause' in answer) throw answer.cause;
    else return answer;
  }
}

/** The whole answer, or why the connection failed or broke. An abort by the caller is thrown. */
async function answerTo(request: Request): Promise<Response | { cause: unknown }> {
  try {
    const response = await fetch(request.clone());
    return new Response((await response.text()) || null, response);
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    return { cause };
  }
}

const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((done, failed) => {
    setTimeout(done, seconds * 1000);
    signal.addEventListener('abort', () => failed(signal.reason), { once: true });
  });
