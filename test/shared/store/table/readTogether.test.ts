import type { ServerResponse } from 'node:http';
import { withDeadline } from '../../../../shared/platform/deadline.ts';
import { readTogether } from '../../../../shared/store/table/batches.ts';
import { failureOf, startJsonServer, tell } from '../../platform/aws/jsonServer.ts';
import { useTable } from '../testTable.ts';

let server: Awaited<ReturnType<typeof startJsonServer>>;
beforeAll(async () => {
  server = await startJsonServer();
  useTable(server.endpoint);
});
afterAll(() => server.stop());

const read = (pk: string) => readTogether([{ pk, sk: 'it' }]);
const items = [
  { pk: { S: 'a' }, sk: { S: 'it' } },
  { pk: { S: 'b' }, sk: { S: 'it' } },
];

describe('what is read together', () => {
  it('is one call for all who ask at the same moment', async () => {
    server.answerBy((response) => tell(response, { Responses: { test: items } }));
    const found = withDeadline(20_000, () => Promise.all([read('a'), read('b'), read('c'), read('a')]));
    const [a, b] = ['a', 'b'].map((pk) => ({ pk, sk: 'it' }));
    expect(await found).toEqual([[a], [b], [null], [a]]);
    expect(server.heard).toHaveLength(1);
  });

  it.each([
    ['first', [300, 20_000]],
    ['last', [20_000, 300]],
  ])('is awaited by each caller until its own deadline: the one with less time asks %s', async (_order, times) => {
    const waiting: ServerResponse[] = [];
    server.answerBy((response) => void waiting.push(response));
    const calls = times.map((milliseconds) => withDeadline(milliseconds, () => read('a')));
    const [hasty, patient] = times[0] === 300 ? calls : calls.toReversed();
    expect(await failureOf(hasty as Promise<unknown>)).toMatchObject({ name: 'DeadlineExceeded' });
    for (const response of waiting) tell(response, { Responses: { test: items } });
    expect(await patient).toEqual([{ pk: 'a', sk: 'it' }]);
    expect(server.heard).toHaveLength(1);
  });
});
