import type { TestService } from './service.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are JSON of any shape, and tests look into them
  readonly body: any;
}

/** Calls the REST API of a service as an application does. */
export async function call(
  service: Pick<TestService, 'baseUrl' | 'apiKey'>,
  method: string,
  path: string,
  options: {
    body?: unknown;
    raw?: string | Uint8Array<ArrayBuffer>;
    headers?: Record<string, string>;
    key?: string | null;
  } = {},
): Promise<Answer> {
  const key = options.key === undefined ? service.apiKey : options.key;
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      'Content-Type': 'application/json',
      ...options.headers,
    },
    ...(options.raw !== undefined
      ? { body: options.raw }
      : options.body !== undefined
        ? { body: JSON.stringify(options.body) }
        : {}),
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

/** Often at first; later the interval is a twentieth of the time waited, for fewer polls. */
const pollMilliseconds = (waitedMilliseconds: number): number =>
  waitedMilliseconds < 5000 ? 50 : Math.min(1000, waitedMilliseconds / 20);

/** Polls until `probe` answers a value or the time is over. */
export async function eventually<T>(
  probe: () => Promise<T | null | undefined | false>,
  timeoutSeconds = 60,
): Promise<T> {
  const began = Date.now();
  for (;;) {
    const found = await probe();
    if (found) return found;
    const waited = Date.now() - began;
    if (waited > timeoutSeconds * 1000) throw new Error(`No value within ${timeoutSeconds} seconds.`);
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds(waited)));
  }
}

/** Polls until the condition has held for each item, all within the time. An item for which it held is not polled again. */
export async function eventuallyEach<Item>(
  items: readonly Item[],
  holds: (item: Item) => Promise<boolean>,
  timeoutSeconds = 60,
): Promise<void> {
  let left = items;
  await eventually(async () => {
    const answers = await Promise.all(left.map(holds));
    left = left.filter((_, index) => !answers[index]);
    return left.length === 0;
  }, timeoutSeconds);
}

/** Resolves when this many calls have been answered; the others are still in progress. */
export function afterSome(calls: readonly Promise<unknown>[], count: number): Promise<void> {
  let answered = 0;
  return new Promise((resolve) => {
    for (const one of calls) {
      void one.then(() => {
        answered += 1;
        if (answered === count) resolve();
      });
    }
  });
}
