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

/** The part of a client's configuration that concerns its connections. Times in milliseconds. */
export const connection = (own: Partial<ConnectionPolicy> = {}) => ({
  requestHandler: new Transport({ ...policy, ...own }),
});
