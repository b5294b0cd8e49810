import { CreateScheduleCommand, DeleteScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { SchedulerClient as OwnClient, scheduler } from '../../../../shared/queue/scheduler/client.ts';
import { schedule } from '../../../../shared/queue/scheduler/schedule.ts';
import { unschedule } from '../../../../shared/queue/scheduler/unschedule.ts';
import { itTriesAgainAsTheSdk, type Pair, usePair } from '../../platform/aws/besideSdk.ts';
import { failureOf, type Script, tell, waitingTheirPart } from '../../platform/aws/jsonServer.ts';

const pair: Pair<OwnClient, SchedulerClient> = {
  variable: 'AWS_ENDPOINT_URL_SCHEDULER',
  own: (policy) => new OwnClient(policy),
  sdk: (options) => new SchedulerClient(options),
};
const clients = usePair(pair);
const [RoleArn, queueArn] = ['arn:aws:iam::000000000000:role/r', 'arn:aws:sqs:us-east-1:000000000000:q'];
const name = 'whd_01-A.b';
const token = expect.stringMatching(/^[\da-f-]{36}$/);

Object.assign(process.env, { SCHEDULE_GROUP: 'mailroom', SCHEDULER_ROLE_ARN: RoleArn });
afterAll(() => scheduler.destroy());

const made: Script = (response) => tell(response, { ScheduleArn: 'arn:aws:scheduler:us-east-1:000000000000:schedule' });
const deleted: Script = (response) => response.writeHead(200).end();
const refused =
  (error: string, status: number): Script =>
  (response) =>
    tell(response, { Message: 'Refused.' }, status, {
      'x-amzn-errortype': `${error}:http://x/`,
      'x-amzn-RequestId': '1',
    });

const make = () => schedule({ name, at: new Date('2026-11-22T10:00:00.001Z'), queueArn, body: '{"é":1}' });
const makeBySdk = (sdk: SchedulerClient) =>
  sdk.send(
    new CreateScheduleCommand({
      ...{ Name: name, GroupName: 'mailroom', ScheduleExpression: 'at(2026-11-22T10:00:01)' },
      ...{ ScheduleExpressionTimezone: 'UTC', FlexibleTimeWindow: { Mode: 'OFF' }, ActionAfterCompletion: 'DELETE' },
      Target: { Arn: queueArn, RoleArn, Input: '{"é":1}' },
    }),
  );
const deleteBySdk = () => clients.sdk.send(new DeleteScheduleCommand({ Name: name, GroupName: 'mailroom' }));

/** What was asked, but for what is random in it. */
const asked = () =>
  clients.server.heard.map(({ method, path, input, headers }) => {
    const { host, 'content-type': type, 'content-length': length, authorization } = headers;
    const scope = authorization?.replace(/, (SignedHeaders|Signature)=.*/, '');
    const url = new URL(path, 'http://x');
    const query = Object.fromEntries([...url.searchParams].sort());
    return { method, path: url.pathname, query, input, host, type, length, scope };
  });

describe('a schedule', () => {
  it('is made and deleted as by the SDK, with a token of each call', async () => {
    clients.server.answerBy((...heard) => (heard[1].method === 'POST' ? made : deleted)(...heard));
    await make();
    await makeBySdk(clients.sdk);
    await unschedule(name);
    await deleteBySdk();
    const [own, theirs, ownDeletion, theirDeletion] = asked();
    expect({ ...own, input: { ...own?.input, ClientToken: token } }).toEqual({
      ...theirs,
      input: { ...theirs?.input, ClientToken: token },
    });
    expect({ ...ownDeletion, query: { ...ownDeletion?.query, clientToken: token } }).toEqual({
      ...theirDeletion,
      query: { ...theirDeletion?.query, clientToken: token },
    });
    expect([own?.input.ClientToken, ownDeletion?.query.clientToken]).toEqual([token, token]);
    expect(own?.input.ClientToken).not.toBe(ownDeletion?.query.clientToken);
  });

  it('that stands already is kept, and one that is gone is no error', async () => {
    clients.server.answerBy(refused('ConflictException', 409));
    await make();
    clients.server.answerBy(refused('ResourceNotFoundException', 404));
    await unschedule(name);
    expect(await failureOf(make())).toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it.each(['', '{}', '[]', '"ScheduleArn"', '<html>'])(
    'of which an answer says nothing was not made: %s',
    async (text) => {
      clients.server.answerBy((response) => response.writeHead(200).end(text));
      expect(await failureOf(make())).toMatchObject({ name: 'GarbledAnswer' });
    },
  );

  it.each([
    ['ValidationException', 400, 1],
    ['ServiceQuotaExceededException', 402, 1],
    ['AccessDeniedException', 403, 1],
    ['ThrottlingException', 429, 3],
    ['InternalServerException', 500, 3],
  ])('fails by %s as for the SDK, and is asked for as often, with the same token', async (error, status, attempts) => {
    waitingTheirPart(0);
    clients.server.answerBy(refused(error, status));
    const told = { name: error, message: 'Refused.', $metadata: { httpStatusCode: status, requestId: '1' } };
    expect(await failureOf(make())).toMatchObject(told);
    expect(clients.server.heard).toHaveLength(attempts);
    expect(new Set(clients.server.heard.map(({ input }) => input.ClientToken)).size).toBe(1);
    expect(await failureOf(makeBySdk(clients.sdk))).toMatchObject(told);
    expect(clients.server.heard).toHaveLength(2 * attempts);
  });
});

itTriesAgainAsTheSdk({
  pair,
  ask: (own) => own.call({ method: 'POST', name, input: {} }),
  askSdk: makeBySdk,
  attempts: 3,
  serverError: refused('InternalServerException', 500),
  throttle: { name: 'ThrottlingException', script: refused('ThrottlingException', 429) },
});
