import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { UpdateCommand as SdkUpdateCommand } from '@aws-sdk/lib-dynamodb';
import { wasNeverSent } from '../../../../shared/platform/aws/unanswered.ts';
import { takeSettings } from '../../../../shared/platform/config.ts';
import { UpdateCommand } from '../../../../shared/store/dynamodb/commands.ts';
import { itTriesAgainAsTheSdk, usePair } from '../../platform/aws/besideSdk.ts';
import { breakOff, failureOf, type Script, tell, waitingTheirPart } from '../../platform/aws/jsonServer.ts';
import { input, pair, refuse } from './server.ts';

const clients = usePair(pair);
const update = () => clients.own.send(new UpdateCommand(input));
const updateBySdk = () => clients.sdk.send(new SdkUpdateCommand(input));

describe('what is tried again', () => {
  const refused =
    (name: string): Script =>
    (response) =>
      refuse(response, name);
  /** A script, and how many attempts it is worth. */
  const scripts: readonly [string, Script, number][] = [
    ['a server error', (response) => refuse(response, 'InternalServerError', {}, 500), 4],
    ['a page of a proxy', (response) => response.writeHead(503).end('<html>'), 4],
    ['a gateway that waits no longer', (response) => response.writeHead(504).end(), 4],
    ['429', (response) => response.writeHead(429).end(), 4],
    ['ProvisionedThroughputExceededException', refused('ProvisionedThroughputExceededException'), 4],
    ['ThrottlingException', refused('ThrottlingException'), 4],
    ['RequestLimitExceeded', refused('RequestLimitExceeded'), 4],
    ['TransactionInProgressException', refused('TransactionInProgressException'), 4],
    ['ReplicatedWriteConflictException', refused('ReplicatedWriteConflictException'), 4],
    ['a connection that ends without an answer', (_response, _heard, request) => request.socket.destroy(), 4],
    ['an answer that breaks off', breakOff, 4],
    ['no JSON', (response) => response.writeHead(200).end('<html>'), 1],
    ['ConditionalCheckFailedException', refused('ConditionalCheckFailedException'), 1],
    ['TransactionCanceledException', refused('TransactionCanceledException'), 1],
    ['TransactionConflictException', refused('TransactionConflictException'), 1],
    ['ValidationException', refused('ValidationException'), 1],
    ['ExpiredTokenException', refused('ExpiredTokenException'), 1],
    ['UnrecognizedClientException', refused('UnrecognizedClientException'), 1],
    ['501', (response) => refuse(response, 'NotImplemented', {}, 501), 1],
  ];

  it.each(scripts)('%s: as often as by the SDK', async (_name, script, attempts) => {
    waitingTheirPart(0);
    clients.server.answerBy(script);
    await failureOf(update());
    expect(clients.server.heard).toHaveLength(attempts);
    clients.server.answerBy(script);
    await failureOf(updateBySdk());
    expect(clients.server.heard).toHaveLength(attempts);
  });

  it('and then answers, with what it asked the first time', async () => {
    waitingTheirPart(0);
    let tries = 0;
    clients.server.answerBy((response) => {
      tries += 1;
      if (tries < 4) refuse(response, 'InternalServerError', {}, 500);
      else tell(response, { Attributes: { calls: { N: '1' } } });
    });
    expect(await update()).toMatchObject({ Attributes: { calls: 1 } });
    expect(new Set(clients.server.heard.map(({ input: asked }) => JSON.stringify(asked))).size).toBe(1);
  });

  it.each<[string, string, number, Record<string, string>]>([
    ['a server error', 'InternalServerError', 500, {}],
    ['a throttle', 'ThrottlingException', 400, {}],
    ['one that says how long', 'ServiceUnavailable', 503, { 'x-amz-retry-after': '300' }],
  ])('waits after %s as long as the SDK', async (_name, error, status, headers) => {
    waitingTheirPart(0.1);
    const script: Script = (response) => tell(response, { __type: error }, status, headers);
    clients.server.answerBy(script);
    const { $metadata } = await failureOf(updateBySdk());
    const { totalRetryDelay } = $metadata as { totalRetryDelay: number };
    clients.server.answerBy(script);
    await failureOf(update());
    const [first, last] = [clients.server.heard[0]?.at ?? 0, clients.server.heard.at(-1)?.at ?? 0];
    // Timers of Node round down by up to a millisecond.
    expect(last - first).toBeGreaterThanOrEqual(totalRetryDelay - 10);
    expect(totalRetryDelay).toBeGreaterThan(10);
  });

  const conflict: Script = (response) => refuse(response, 'ConditionalCheckFailedException');
  it.each<[string, Script, boolean]>([
    ['nothing else was said', conflict, false],
    ['a server error', (response) => refuse(response, 'InternalServerError', {}, 500), true],
    ['an answer that was lost', (_response, _heard, request) => request.socket.destroy(), true],
    ['an answer that broke off', breakOff, true],
    ['a throttle', (response) => refuse(response, 'ThrottlingException'), false],
  ])(
    'and is refused after %s: it says whether it may be refused by itself',
    async (_name, first, isAfterLostAnswer) => {
      waitingTheirPart(0);
      clients.server.answerBy((...asked) => (clients.server.heard.length === 1 ? first : conflict)(...asked));
      expect(await failureOf(update())).toMatchObject({ name: 'ConditionalCheckFailedException', isAfterLostAnswer });
    },
  );
});

itTriesAgainAsTheSdk({
  pair,
  ask: (own) => own.send(new UpdateCommand(input)),
  askSdk: (sdk) => sdk.send(new SdkUpdateCommand(input)),
  attempts: 4,
  serverError: (response) => refuse(response, 'InternalServerError', {}, 500),
  throttle: { name: 'ThrottlingException', script: (response) => refuse(response, 'ThrottlingException') },
});

describe('a call that nobody takes', () => {
  const nowhere = 'http://127.0.0.1:9';
  afterEach(() => takeSettings({ AWS_ENDPOINT_URL_DYNAMODB: clients.server.endpoint }));

  it('was never sent, and is tried as often as any', async () => {
    waitingTheirPart(0);
    let attempts = 0;
    const count = () => {
      attempts += 1;
    };
    subscribe('net.client.socket', count);
    takeSettings({ AWS_ENDPOINT_URL_DYNAMODB: nowhere });
    const error = await failureOf(update());
    unsubscribe('net.client.socket', count);
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(wasNeverSent(error)).toBe(true);
    expect(attempts).toBe(4);
  });

  it('may have been taken when it went out before', async () => {
    waitingTheirPart(0);
    clients.server.answerBy((_response, _heard, request) => {
      takeSettings({ AWS_ENDPOINT_URL_DYNAMODB: nowhere });
      request.socket.destroy();
    });
    const error = await failureOf(update());
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect(wasNeverSent(error)).toBe(false);
    expect(clients.server.heard).toHaveLength(1);
  });
});
