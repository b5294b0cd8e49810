import { type ConnectionPolicy, Transport } from './transport.ts';

/**
 * What every client of AWS is made with. Answers come within milliseconds, or not at all; a request that finds the pool
 * taken waits as long as its call may, and what is under way ends with it.
 */
const policy: ConnectionPolicy = {
  connections: 50,
  idle: 4000,
  waiting: 30_000,
  connecting: 2000,
  answering: 5000,
  reading: 20_000,
};

type Logger = Record<'trace' | 'debug' | 'info' | 'warn' | 'error', (...content: unknown[]) => void>;

const unheard = () => {};

/**
 * Throws everything away, as the SDK's own default does, and lacks what makes that dear: for a logger with `info` and
 * `error` each input and output is copied field by field (`middleware-logger` of `@aws-sdk/core`). The others are called
 * without being asked for.
 */
const logger = { trace: unheard, debug: unheard, warn: unheard } as Partial<Logger> as Logger;

/** The part of a client's configuration that concerns its connections. Times in milliseconds. */
export const connection = (own: Partial<ConnectionPolicy> = {}) => ({
  requestHandler: new Transport({ ...policy, ...own }),
  logger,
});
