import { jest } from '@jest/globals';
import { useTable } from '../testTable.ts';
import { startInterferingTable } from './interferingTable.ts';

let table: Awaited<ReturnType<typeof startInterferingTable>>;
let transaction: typeof import('../../../../shared/store/table/transaction.ts');
let documents: typeof import('../../../../shared/store/table/table.ts')['documents'];
let GetCommand: typeof import('@aws-sdk/lib-dynamodb')['GetCommand'];

beforeAll(async () => {
  table = await startInterferingTable();
  useTable(table.endpoint);
  transaction = await import('../../../../shared/store/table/transaction.ts');
  ({ documents } = await import('../../../../shared/store/table/table.ts'));
  ({ GetCommand } = await import('@aws-sdk/lib-dynamodb'));
});

afterAll(async () => {
  documents.destroy();
  await table.stop();
});

afterEach(() => jest.restoreAllMocks());
beforeEach(() => {
  table.interferences.length = 0;
  table.tokens.length = 0;
});

const throttled = { error: 'ProvisionedThroughputExceededException' };
const conflict = { error: 'TransactionCanceledException', reasons: ['None', 'TransactionConflict'] };

const add = (pk: string, condition?: string) => ({
  Update: {
    TableName: 'test',
    Key: { pk, sk: 'COUNT' },
    UpdateExpression: 'ADD calls :one',
    ExpressionAttributeValues: { ':one': 1 },
    ...(condition && { ConditionExpression: condition }),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  },
});

async function count(pk: string): Promise<unknown> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: 'test', Key: { pk, sk: 'COUNT' }, ConsistentRead: true }),
  );
  return Item?.calls;
}

describe('transact', () => {
  it('waits out a conflict with a new token each time', async () => {
    table.interferences.push(conflict, conflict, {
      error: 'TransactionCanceledException',
      reasons: ['ThrottlingError', 'None'],
    });
    expect(await transaction.transact([add('conflict'), add('conflict-2')])).toBeNull();
    expect([await count('conflict'), await count('conflict-2')]).toEqual([1, 1]);
    expect(new Set(table.tokens).size).toBe(4);
  });

  it('leaves an item that is written to too often to the four tries of the client', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.1);
    table.interferences.push(...Array.from({ length: 5 }, () => throttled));
    await expect(transaction.transact([add('hot')])).rejects.toMatchObject({ name: throttled.error });
    expect(table.interferences).toHaveLength(1);
  });

  it('asks under one token for a transaction that is still under way', async () => {
    const underWay = { error: 'TransactionInProgressException' };
    // The SDK itself asks three times.
    table.interferences.push(underWay, underWay, underWay, underWay);
    expect(await transaction.transact([add('under-way'), add('under-way-2')])).toBeNull();
    expect(table.tokens).toHaveLength(5);
    expect(new Set(table.tokens).size).toBe(1);
  });

  it('writes once when the answer is lost', async () => {
    table.interferences.push('answer lost');
    expect(await transaction.transact([add('lost'), add('lost-2')])).toBeNull();
    expect(table.tokens.length).toBeGreaterThan(1);
    expect(await count('lost')).toBe(1);
  });

  it('returns which condition failed, with the stored item, and writes nothing', async () => {
    await transaction.transact([add('stands'), add('stands-2')]);
    const refused = await transaction.transact([add('other'), add('stands', 'attribute_not_exists(pk)')]);
    expect(refused?.map(({ Code }) => Code)).toEqual(['None', 'ConditionalCheckFailed']);
    expect(refused?.[1]?.Item).toMatchObject({ calls: 1 });
    expect(await count('other')).toBeUndefined();
  });

  it('takes a failed condition for an answer, conflicts beside it or not', async () => {
    const reasons = ['ConditionalCheckFailed', 'TransactionConflict'];
    table.interferences.push({ error: 'TransactionCanceledException', reasons });
    expect(await transaction.transact([add('both'), add('both-2')])).toHaveLength(2);
    expect(table.tokens).toHaveLength(1);
  });

  it('leaves what no waiting mends to the caller', async () => {
    const reasons = ['ValidationError', 'TransactionConflict'];
    table.interferences.push({ error: 'TransactionCanceledException', reasons });
    await expect(transaction.transact([add('invalid'), add('invalid-2')])).rejects.toThrow('Refused for a test.');
    expect(table.tokens).toHaveLength(1);
  });

  it('writes one part alone without a transaction, through a conflict too', async () => {
    table.interferences.push({ error: 'TransactionConflictException' });
    expect(await transaction.transact([add('alone')])).toBeNull();
    expect(table.tokens).toEqual([undefined, undefined]);
    expect(await transaction.transact([add('alone', 'attribute_not_exists(pk)')])).toHaveLength(1);
    expect(await count('alone')).toBe(1);
  });
});

describe('decide', () => {
  it('recognises its own write after a lost answer, where a plain write would conflict with it', async () => {
    table.interferences.push('answer lost');
    expect(await transaction.decide(add('decided', 'attribute_not_exists(pk)'))).toBe(true);
    expect(new Set(table.tokens).size).toBe(1);
    expect(await count('decided')).toBe(1);
  });

  it('recognises its own write after a lost answer while DynamoDB is throttling', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.1);
    table.interferences.push('answer lost', throttled, throttled);
    expect(await transaction.decide(add('busy', 'attribute_not_exists(pk)'))).toBe(true);
    expect(table.interferences).toEqual([]);
    expect(new Set(table.tokens).size).toBe(1);
  });

  it('reports the write of another process, and waits out a conflict', async () => {
    table.interferences.push({ error: 'TransactionCanceledException', reasons: ['TransactionConflict'] });
    expect(await transaction.decide(add('decided', 'attribute_not_exists(pk)'))).toBe(false);
    expect(await count('decided')).toBe(1);
  });
});

describe('a write alone', () => {
  it('is repeated when it meets a transaction', async () => {
    table.interferences.push({ error: 'TransactionConflictException' }, { error: 'TransactionConflictException' });
    const { sendUpdate } = await import('../../../../shared/store/table/transaction.ts');
    await sendUpdate(add('single').Update);
    expect(await count('single')).toBe(1);
  });
});
