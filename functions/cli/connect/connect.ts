import { type Connection, enter } from './environment.ts';

export interface Place {
  readonly data: string;
  readonly stack?: string | undefined;
  readonly region?: string | undefined;
  /** File of the deployment's settings, when it is not the usual one. */
  readonly settings?: string | undefined;
}

/** Opens the deployed table of a stack, or the local data of a folder; closed by the caller. A folder is made only by what makes something in it. */
export async function connect({ data, stack, region, settings }: Place, mayCreate: boolean): Promise<Connection> {
  const connection = stack
    ? await connectToStack(stack, region, settings)
    : await (await import('./local.ts')).connectLocally(data, mayCreate);
  enter(connection);
  return connection;
}

async function connectToStack(stack: string, region?: string, settings?: string): Promise<Connection> {
  const [{ regionOf }, deployed] = await Promise.all([import('./region.ts'), import('./stack.ts')]);
  return deployed.connectToStack(stack, regionOf(region, settings));
}
