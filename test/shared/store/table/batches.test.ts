import { withDeadline } from '../../../../shared/platform/deadline.ts';
import { batchWrite } from '../../../../shared/store/table/batchWrite.ts';
import { batchGet } from '../../../../shared/store/table/table.ts';
import { usePair } from '../../platform/aws/besideSdk.ts';
import { failureOf, type Script, tell, waitingTheirPart } from '../../platform/aws/jsonServer.ts';
import { pair } from '../dynamodb/server.ts';

const clients = usePair(pair);
process.env.TABLE_NAME = 'test';

const get = (): Promise<unknown> => batchGet([{ pk: 'a', sk: 'b' }], { consistent: true });
const put = (): Promise<unknown> => batchWrite([{ PutRequest: { Item: { pk: 'a', sk: 'b' } } }]);

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
    clients.server.answerBy((response, heard, request) => {
      left -= 1;
      if (left > 0) leaving(response, heard, request);
      else tell(response, { Responses: { test: [{ pk: { S: 'a' }, sk: { S: 'b' } }] } });
    });
    await work();
    expect(clients.server.heard.map(({ input }) => input)).toEqual(Array(3).fill(clients.server.heard[0]?.input));
  });

  it('is not waited for beyond the deadline', async () => {
    // A wait of nearly a minute.
    waitingTheirPart(1000);
    clients.server.answerBy(leaving);
    const begun = performance.now();
    expect(await failureOf(withDeadline(300, work))).toMatchObject({ name: 'DeadlineExceeded' });
    expect(performance.now() - begun).toBeLessThan(20_000);
    expect(clients.server.heard).toHaveLength(1);
  });
});
