import { jest } from '@jest/globals';
import { withDeadline } from '../../../../shared/platform/deadline.ts';
import { batchGet, putItems } from '../../../../shared/store/table/batches.ts';
import { failureOf, type Script, startJsonServer, tell, waitingTheirPart } from '../../platform/aws/jsonServer.ts';
import { useTable } from '../testTable.ts';

let server: Awaited<ReturnType<typeof startJsonServer>>;
beforeAll(async () => {
  server = await startJsonServer();
  useTable(server.endpoint);
});
afterAll(() => server.stop());
afterEach(() => jest.restoreAllMocks());

const get = (): Promise<unknown> => batchGet([{ pk: 'a', sk: 'b' }], { consistent: true });
const put = (): Promise<unknown> => putItems<object>([{ pk: 'a', sk: 'b' }]);

/** Leaves everything undone. */
const leaving: Script = (response, { input: { RequestItems: left } }) =>
  tell(response, { Responses: {}, UnprocessedKeys: left, UnprocessedItems: left });

describe.each([
  ['read', get],
  ['write', put],
])('what DynamoDB leaves undone of a batched %s', (_name, work) => {
  it('is asked for again', async () => {
    waitingTheirPart(0);
    let left = 3;
    server.answerBy((response, heard, request) => {
      left -= 1;
      if (left > 0) leaving(response, heard, request);
      else tell(response, { Responses: { test: [{ pk: { S: 'a' }, sk: { S: 'b' } }] } });
    });
    await work();
    expect(server.heard.map(({ input }) => input)).toEqual(Array(3).fill(server.heard[0]?.input));
  });

  it('is not waited for beyond the deadline', async () => {
    // A wait of nearly a minute.
    waitingTheirPart(1000);
    server.answerBy(leaving);
    const begun = performance.now();
    expect(await failureOf(withDeadline(300, work))).toMatchObject({ name: 'DeadlineExceeded' });
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(server.heard).toHaveLength(1);
  });
});
