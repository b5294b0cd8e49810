/** Attempts that may be under way at one endpoint at once, in this process and, once it is slow, in all of them. */
export const attemptsPerEndpoint = 5;

/** An endpoint all of whose attempts take longer is not worth waiting for: others are better served. */
const slowMilliseconds = 250;
/** Waiting at a quick endpoint is cheaper than going back to the queue. */
const patienceMilliseconds = 2000;

interface Endpoint {
  readonly startedAt: Set<{ readonly at: number }>;
  readonly waiting: Set<() => void>;
}

const endpoints = new Map<string, Endpoint>();

/** True when an endpoint takes no attempt now and none soon: its message is better off on the queue. */
export function isOccupied(endpointId: string): boolean {
  const endpoint = endpoints.get(endpointId);
  return endpoint !== undefined && isFull(endpoint) && isSlow(endpoint);
}

/**
 * A place among the attempts under way at an endpoint: the function that gives it back, or null when the endpoint is
 * busy and not about to be free. The batch is then free for other endpoints.
 */
export async function enter(endpointId: string): Promise<(() => void) | null> {
  const deadline = performance.now() + patienceMilliseconds;
  for (;;) {
    const endpoint = endpoints.get(endpointId) ?? { startedAt: new Set(), waiting: new Set() };
    endpoints.set(endpointId, endpoint);
    if (!isFull(endpoint)) return take(endpointId, endpoint);
    if (isSlow(endpoint) || !(await freed(endpoint, deadline - performance.now()))) return null;
  }
}

const isFull = ({ startedAt }: Endpoint): boolean => startedAt.size >= attemptsPerEndpoint;

function take(endpointId: string, endpoint: Endpoint): () => void {
  const attempt = { at: performance.now() };
  endpoint.startedAt.add(attempt);
  return () => {
    endpoint.startedAt.delete(attempt);
    const [next] = endpoint.waiting;
    if (next) next();
    else if (endpoint.startedAt.size === 0) endpoints.delete(endpointId);
  };
}

const isSlow = ({ startedAt }: Endpoint): boolean =>
  [...startedAt].every(({ at }) => performance.now() - at > slowMilliseconds);

/** True when a place became free within the time. */
function freed({ waiting }: Endpoint, milliseconds: number): Promise<boolean> {
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
