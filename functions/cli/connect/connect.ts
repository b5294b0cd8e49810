import { queues } from '../../../infra/resources.ts';
import type { Connection, ConnectionOptions } from './connection.ts';

/** The queues of a deployment, as they are named in commands. */
export const queueNames: readonly string[] = Object.keys(queues);

/** Connects to a deployed stack or to a local data folder. The caller closes the connection. */
export async function connect(options: ConnectionOptions, mayCreateFolder: boolean): Promise<Connection> {
  const connection = options.stack
    ? await (await import('./stack.ts')).connectToStack(options.stack, options)
    : await (await import('./local.ts')).connectLocally(options.data, mayCreateFolder);
  // The clients of the services read these with their first request.
  Object.assign(process.env, connection.environment);
  return connection;
}
