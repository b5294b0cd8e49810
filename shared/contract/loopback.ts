let isAllowed = false;

/** Whether an address in the input that is being parsed may lead to the machine itself. */
export const isLoopbackAllowed = (): boolean => isAllowed;

/**
 * Parses as a laptop does, where plain http and loopback addresses are taken, or as a deployment does. The schemas are
 * constants and know of no deployment, so it is said for the time of one parse, which must not be asynchronous.
 */
export function parseWithLoopback<Result>(allowed: boolean, parse: () => Result): Result {
  const before = isAllowed;
  isAllowed = allowed;
  try {
    return parse();
  } finally {
    isAllowed = before;
  }
}
