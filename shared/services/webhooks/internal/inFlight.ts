/** Concurrent attempts at one endpoint in this process and, while the endpoint is slow, in all of them together. */
export const attemptsPerEndpoint = 5;

/** When all attempts at an endpoint take longer than this, others are not kept waiting for it. */
const slowMilliseconds = 250;
/** Waiting for a fast endpoint is cheaper than going back to the queue. */
const longestWaitMilliseconds = 2000;

interface WebhookEndpoint {
  readonly startedAt: Set<{ readonly at: number }>;
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
    const endpoint = endpoints.get(endpointId) ?? { startedAt: new Set(), waiting: new Set() };
    endpoints.set(endpointId, endpoint);
    if (!isFull(endpoint)) return take(endpointId, endpoint);
    if (isSlow(endpoint) || !(await freed(endpoint, deadline - performance.now()))) return null;
  }
}

const isFull = ({ startedAt }: WebhookEndpoint): boolean => startedAt.size >= attemptsPerEndpoint;

function take(endpointId: string, endpoint: WebhookEndpoint): () => void {
  const attempt = { at: performance.now() };
  endpoint.startedAt.add(attempt);
  return () => {
    endpoint.startedAt.delete(attempt);
    const [next] = endpoint.waiting;
    if (next) next();
    else if (endpoint.startedAt.size === 0) endpoints.delete(endpointId);
  };
}

const isSlow = ({ startedAt }: WebhookEndpoint): boolean =>
  [...startedAt].every(({ at }) => performance.now() - at > slowMilliseconds);

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
