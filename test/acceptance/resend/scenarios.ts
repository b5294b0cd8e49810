import type { Resend } from 'resend';
import type { TestService } from '../service.ts';
import type { TestWorkspace } from '../workspace.ts';

/** What a scenario works with: the published client in a workspace of its own. */
export interface ClientWorld {
  readonly resend: Resend;
  readonly service: TestService;
  readonly workspace: TestWorkspace;
}

/** Tries calls of the client, each of which must succeed, by their names. */
export type Scenarios = Readonly<Record<string, (world: ClientWorld) => Promise<void>>>;

interface Result<Data> {
  readonly data: Data | null;
  readonly error: { readonly name: string; readonly message: string; readonly statusCode: number | null } | null;
}

/** What a call that must succeed gives. */
export async function dataOf<Data>(result: PromiseLike<Result<Data>>): Promise<Data> {
  const { data, error } = await result;
  if (error || data === null) throw new Error(`The call was refused: ${JSON.stringify(error)}`);
  return data;
}

/** Status and message of a call that must be refused. The error has exactly the fields of the client's shape. */
export async function refusalOf(result: PromiseLike<Result<unknown>>): Promise<readonly [number | null, string]> {
  const { data, error } = await result;
  if (!error) throw new Error(`The call was not refused: ${JSON.stringify(data)}`);
  expect(Object.keys(error).toSorted()).toEqual(['message', 'name', 'statusCode']);
  return [error.statusCode, error.message];
}

export const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();
