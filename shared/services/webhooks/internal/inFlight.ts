/** How many attempts at one endpoint run at once in this process; for a slow endpoint, in all processes together. */
export const attemptsPerEndpoint = 5;

/** An endpoint is slow when each of its running attempts has taken longer than this: no other attempt waits for it. */
const slowMilliseconds = 250;
/** Waiting for a fast endpoint is cheaper than going back to the queue. */
const longestWaitMilliseconds = 2000;

interface WebhookEndpoint {
  readonly running: Set<{ readonly startedAt: number }>;
  readonly waiting: Set<() => void>;
}

const endpoints = new Map<string, WebhookEndpoint>();

/** True when an endpoint is at its limit and will stay so: the message should go back to the queue. */
export function isOccupied(endpointId: string): boolean {
  const endpoint = endpoints.get(endpointId);
  return endpoint !== undefined && isFull(endpoint) && isSlow(endpoint);
}

/**
 * Takes one of the endpoint's concurrent attempts, waiting for it if the endpoint is fast. Returns the function that
 * gives it back; null when none became free.
 */
export async function enter(endpointId: string): Promise<(() => void) | null> {
  const deadline = performance.now() + longestWaitMilliseconds;
  for (;;) {
    const endpoint = endpoints.get(endpointId) ?? { running: new Set(), waiting: new Set() };
    endpoints.set(endpointId, endpoint);
    if (!isFull(endpoint)) return take(endpointId, endpoint);
    if (isSlow(endpoint) || !(await freed(endpoint, deadline - performance.now()))) return null;
  }
}

const isFull = ({ running }: WebhookEndpoint): boolean => running.size >= attemptsPerEndpoint;

function take(endpointId: string, endpoint: WebhookEndpoint): () => void {
  const attempt = { startedAt: performance.now() };
  endpoint.running.add(attempt);
  return () => {
    endpoint.running.delete(attempt);
    const [next] = endpoint.waiting;
    if (next) next();
    else if (endpoint.running.size === 0) endpoints.delete(endpointId);
  };
}

const isSlow = ({ running }: WebhookEndpoint): boolean =>
  [...running].every(({ startedAt }) => performance.now() - startedAt > slowMilliseconds);

/** True when an attempt ended within the time. */
function freed({ waiting }: WebhookEndpoint, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isFree: boolean) => {
      clearTimeout(timer);
      waiting.delete(onFree);
      resolve(isFree);
    };
    const onFree = () => settle(true);
    const timer = setTimeout(() => settle(false), milliseconds);
    waiting.add(onFree);
  });
}
