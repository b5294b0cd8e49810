import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import type { DocumentClient } from '../../../shared/store/dynamodb/client.ts';
import type { Command } from '../../../shared/store/dynamodb/commands.ts';

type Call = (command: Command) => Promise<object>;

/** Stands between the store of this process and its client of DynamoDB, until the function that it gives is called. */
export function aroundCalls(documents: DocumentClient, around: (next: Call) => Call): () => void {
  const direct = documents.send;
  documents.send = around((command) => direct.call(documents, command)) as typeof direct;
  return () => {
    documents.send = direct;
  };
}

/** Tells of each call that DynamoDB did the units that it took, those of indexes included. */
export const aroundUnits = (documents: DocumentClient, note: (command: Command, units: number) => void) =>
  aroundCalls(documents, (next) => async (command) => {
    const { output, units } = await metered(next, command);
    note(command, units);
    return output;
  });

/** A call that asks for its units besides. */
export async function metered(next: Call, command: Command): Promise<{ output: object; units: number }> {
  const input = { ...command.input, ReturnConsumedCapacity: 'TOTAL' };
  const output = await next(Object.assign(Object.create(Object.getPrototypeOf(command)), command, { input }));
  const { ConsumedCapacity: consumed } = output as { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };
  const units = [consumed ?? []].flat().reduce((total, { CapacityUnits = 0 }) => total + CapacityUnits, 0);
  return { output, units };
}
