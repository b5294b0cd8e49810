import { type Connection, enter } from './environment.ts';

export interface Place {
  readonly data: string;
  readonly stack?: string | undefined;
  readonly region?: string | undefined;
}

/** Opens the deployed table of a stack, or the local data of a folder; closed by the caller. */
export async function connect({ data, stack, region }: Place): Promise<Connection> {
  const connection = stack
    ? await (await import('./stack.ts')).connectToStack(stack, region)
    : await (await import('./local.ts')).connectLocally(data);
  enter(connection);
  return connection;
}
