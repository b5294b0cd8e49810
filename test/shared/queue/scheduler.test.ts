import { failureOf, type Script, startJsonServer, tell, waitingTheirPart } from '../platform/aws/jsonServer.ts';

const [RoleArn, queueArn] = ['arn:aws:iam::000000000000:role/r', 'arn:aws:sqs:us-east-1:000000000000:q'];
const name = 'whd_01-A.b';
const token = expect.stringMatching(/^[\da-f-]{36}$/);
let server: Awaited<ReturnType<typeof startJsonServer>>;
let verbs: typeof import('../../../shared/queue/scheduler.ts');

beforeAll(async () => {
  server = await startJsonServer();
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SCHEDULER: server.endpoint,
    SCHEDULE_GROUP: 'mailroom',
    SCHEDULER_ROLE_ARN: RoleArn,
  });
  verbs = await import('../../../shared/queue/scheduler.ts');
});
afterAll(() => server.stop());

const made: Script = (response) => tell(response, { ScheduleArn: 'arn:aws:scheduler:us-east-1:000000000000:schedule' });
const refused =
  (error: string, status: number): Script =>
  (response) =>
    tell(response, { Message: 'Refused.' }, status, { 'x-amzn-errortype': `${error}:http://x/` });

const make = () => verbs.schedule({ name, at: new Date('2026-11-22T10:00:00.001Z'), queueArn, body: '{"é":1}' });

describe('a schedule', () => {
  it('fires once, in the second that follows its time, and deletes itself', async () => {
    server.answerBy(made);
    await make();
    expect(server.heard).toMatchObject([{ method: 'POST', path: `/schedules/${name}` }]);
    expect(server.heard[0]?.input).toEqual({
      GroupName: 'mailroom',
      ScheduleExpression: 'at(2026-11-22T10:00:01)',
      ScheduleExpressionTimezone: 'UTC',
      FlexibleTimeWindow: { Mode: 'OFF' },
      ActionAfterCompletion: 'DELETE',
      Target: { Arn: queueArn, RoleArn, Input: '{"é":1}' },
      ClientToken: token,
    });
  });

  it('is deleted from its group, by an empty answer as well', async () => {
    server.answerBy((response) => response.writeHead(200).end());
    await verbs.unschedule(name);
    const [{ method, path } = { method: '', path: '' }] = server.heard;
    const { pathname, searchParams } = new URL(path, 'http://x');
    expect([method, pathname, searchParams.get('groupName')]).toEqual(['DELETE', `/schedules/${name}`, 'mailroom']);
  });

  it('that exists is kept, and a missing one is no error', async () => {
    server.answerBy(refused('ConflictException', 409));
    await make();
    server.answerBy(refused('ResourceNotFoundException', 404));
    await verbs.unschedule(name);
    expect(await failureOf(make())).toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it.each(['', '{}', '[]', '"ScheduleArn"', '<html>'])(
    'that an answer does not name was not made: %s',
    async (text) => {
      server.answerBy((response) => response.writeHead(200).end(text));
      expect(await failureOf(make())).toBeInstanceOf(Error);
    },
  );

  it('is asked for again when the service is busy, with the same token', async () => {
    waitingTheirPart(0);
    server.answerBy((...asked) => (server.heard.length < 3 ? refused('ThrottlingException', 429) : made)(...asked));
    await make();
    expect(server.heard).toHaveLength(3);
    expect(new Set(server.heard.map(({ input }) => input.ClientToken)).size).toBe(1);
  });
});
