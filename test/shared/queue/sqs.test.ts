import { createHash } from 'node:crypto';
import { jest } from '@jest/globals';
import { failureOf, type Script, startJsonServer, tell, waitingTheirPart } from '../platform/aws/jsonServer.ts';

const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/test-job';
let server: Awaited<ReturnType<typeof startJsonServer>>;
let sendMessage: typeof import('../../../shared/queue/sqs.ts').sendMessage;
let sendMessages: typeof import('../../../shared/queue/sqs.ts').sendMessages;

beforeAll(async () => {
  server = await startJsonServer();
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SQS: server.endpoint,
    QUEUE_URL_PREFIX: 'https://sqs.us-east-1.amazonaws.com/000000000000/test-',
  });
});
afterAll(() => server.stop());
/** Made anew for each test, as a quota of retries is a process's own. */
beforeEach(async () => {
  jest.resetModules();
  ({ sendMessage, sendMessages } = await import('../../../shared/queue/sqs.ts'));
});
afterEach(() => jest.restoreAllMocks());

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const messageOf = (index: number) => ({ MessageBody: `é ${index}`, MessageGroupId: 'ws_1' });
const messages = (count: number) => Array.from({ length: count }, (_, index) => messageOf(index));

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
}
type Refusal = { readonly Code?: string; readonly SenderFault?: boolean };

/** Takes all entries but those that it is told to refuse: by how many calls came before, and what the entry says. */
const taking =
  (refusalOf: (call: number, body: string) => Refusal | undefined): Script =>
  (response, { input }) => {
    const call = server.heard.length - 1;
    const entries = input.Entries as readonly Entry[];
    const judged = entries.map(({ Id, MessageBody }) => ({ Id, MessageBody, refusal: refusalOf(call, MessageBody) }));
    const Successful = judged
      .filter(({ refusal }) => !refusal)
      .map(({ Id, MessageBody }) => ({ Id, MessageId: `id ${MessageBody}`, MD5OfMessageBody: md5(MessageBody) }));
    const Failed = judged.filter(({ refusal }) => refusal).map(({ Id, refusal }) => ({ Id, ...refusal }));
    tell(response, { Successful, ...(Failed.length > 0 && { Failed }) });
  };

const bodies = () =>
  server.heard.map(({ input }) => (input.Entries as readonly Entry[]).map(({ MessageBody }) => MessageBody));

describe('a message', () => {
  it('is sent to the queue of its name', async () => {
    server.answerBy((response) => tell(response, { MD5OfMessageBody: md5('é 0') }));
    await sendMessage('job', { ...messageOf(0), DelaySeconds: 5 });
    expect(server.heard).toMatchObject([
      { operation: 'SendMessage', input: { QueueUrl, ...messageOf(0), DelaySeconds: 5 } },
    ]);
  });

  it.each([
    ['another text', { MD5OfMessageBody: md5('other') }],
    ['none that it tells of', {}],
  ])('that SQS took as %s has failed, once', async (_name, answer) => {
    server.answerBy((response) => tell(response, answer));
    expect(await failureOf(sendMessage('job', messageOf(0)))).toMatchObject({
      message: expect.stringMatching(/checksum/i),
    });
    expect(server.heard).toHaveLength(1);
  });
});

describe('messages', () => {
  it('go ten a call, each with an id of its own there', async () => {
    server.answerBy(taking(() => undefined));
    await sendMessages('job', messages(23));
    expect(
      bodies()
        .map(({ length }) => length)
        .sort((a, b) => a - b),
    ).toEqual([3, 10, 10]);
    expect(bodies().flat().sort()).toEqual(
      messages(23)
        .map(({ MessageBody }) => MessageBody)
        .sort(),
    );
    for (const { input } of server.heard) {
      const entries = input.Entries as readonly Entry[];
      expect(new Set(entries.map(({ Id }) => Id)).size).toBe(entries.length);
    }
  });

  it('that are none make no call', async () => {
    server.answerBy(taking(() => undefined));
    await sendMessages('job', []);
    expect(server.heard).toHaveLength(0);
  });

  it.each<[string, Refusal]>([
    ['SQS had a fault of its own', { Code: 'InternalError', SenderFault: false }],
    ['too much was asked of it', { Code: 'RequestThrottled', SenderFault: true }],
    ['who knows', {}],
  ])('that were not taken because %s are sent again, and no others', async (_name, refusal) => {
    waitingTheirPart(0);
    server.answerBy(taking((call, body) => ([/[37]/, /7/][call]?.test(body) ? refusal : undefined)));
    await sendMessages('job', messages(9));
    expect(bodies().slice(1)).toEqual([['é 3', 'é 7'], ['é 7']]);
  });

  it('that SQS never takes have failed in the end, by its name for it', async () => {
    waitingTheirPart(0);
    server.answerBy(
      taking((_call, body) => (body === 'é 3' ? { Code: 'InternalError', SenderFault: false } : undefined)),
    );
    expect(await failureOf(sendMessages('job', messages(5)))).toMatchObject({
      name: 'InternalError',
      message: 'SQS refused 1 of 5 messages.',
    });
    expect(bodies().slice(1)).toEqual([['é 3'], ['é 3']]);
  });

  it('that are at fault themselves have failed at once', async () => {
    server.answerBy(
      taking((_call, body) => (body === 'é 3' ? { Code: 'InvalidMessageContents', SenderFault: true } : undefined)),
    );
    expect(await failureOf(sendMessages('job', messages(5)))).toMatchObject({ name: 'InvalidMessageContents' });
    expect(server.heard).toHaveLength(1);
  });

  it('of which an answer says nothing are not taken for sent', async () => {
    waitingTheirPart(0);
    server.answerBy((response) => tell(response, { Successful: [] }));
    expect(await failureOf(sendMessages('job', messages(2)))).toMatchObject({ name: 'EntriesRefused' });
    expect(server.heard).toHaveLength(3);
  });

  it('of which SQS took one as another text have failed, once', async () => {
    const answer = { Successful: [{ Id: '0', MessageId: '1', MD5OfMessageBody: md5('other') }] };
    server.answerBy((response) => tell(response, answer));
    expect(await failureOf(sendMessages('job', messages(1)))).toMatchObject({
      message: expect.stringMatching(/checksum/i),
    });
    expect(server.heard).toHaveLength(1);
  });

  it('are sent again as they were when no answer came', async () => {
    waitingTheirPart(0);
    const take = taking(() => undefined);
    server.answerBy((response, heard, request) => {
      if (server.heard.length === 1) request.socket.destroy();
      else take(response, heard, request);
    });
    await sendMessages('job', messages(2));
    expect(bodies()).toEqual([
      ['é 0', 'é 1'],
      ['é 0', 'é 1'],
    ]);
  });
});
