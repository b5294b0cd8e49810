import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A call of DynamoDB: its operation as the API reference names it, and its input with plain items. */
export interface TableCall {
  readonly operation: string;
  readonly input: object;
}

type Call = (call: TableCall) => Promise<object>;
type Next = (args: { readonly input: object }) => Promise<{ readonly output: object }>;

/** Stands between the store of this process and its client of DynamoDB, until the function that it gives is called. */
export function aroundCalls(documents: DynamoDBDocumentClient, around: (next: Call) => Call): () => void {
  const name = `aroundCalls ${crypto.randomUUID()}`;
  const middleware =
    (next: Next, { commandName = '' }: { commandName?: string }): Next =>
    async (args) => {
      const call = around(async ({ input }) => (await next({ ...args, input })).output);
      return { output: await call({ operation: commandName.replace(/Command$/, ''), input: args.input }) };
    };
  documents.middlewareStack.add(middleware as never, { name, step: 'initialize' });
  return () => documents.middlewareStack.remove(name);
}

/** Tells of each call that DynamoDB did the units that it took, those of indexes included. */
export const aroundUnits = (documents: DynamoDBDocumentClient, note: (call: TableCall, units: number) => void) =>
  aroundCalls(documents, (next) => async (call) => {
    const { output, units } = await metered(next, call);
    note(call, units);
    return output;
  });

/** A call that asks for its units besides. */
export async function metered(next: Call, { operation, input }: TableCall): Promise<{ output: object; units: number }> {
  const output = await next({ operation, input: { ...input, ReturnConsumedCapacity: 'TOTAL' } });
  const { ConsumedCapacity: consumed } = output as { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };
  const units = [consumed ?? []].flat().reduce((total, { CapacityUnits = 0 }) => total + CapacityUnits, 0);
  return { output, units };
}
