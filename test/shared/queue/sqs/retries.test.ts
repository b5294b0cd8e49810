import { ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { itTriesAgainAsTheSdk, usePair } from '../../platform/aws/besideSdk.ts';
import {
  breakOff,
  byAnotherClock,
  failureOf,
  type Script,
  tell,
  waitingTheirPart,
} from '../../platform/aws/jsonServer.ts';
import { pair, QueueUrl, refuse } from './clients.ts';

const clients = usePair(pair);
const message = { QueueUrl, MessageBody: 'text' };
const taken = { MessageId: '1', MD5OfMessageBody: '1cb251ec0d568de6a929b520c4aed8d1' };
const send = () => clients.own.call('AmazonSQS.SendMessage', message);
const sendBySdk = () => clients.sdk.send(new SendMessageCommand(message));
const refused =
  (shape: string, code?: string, status?: number): Script =>
  (response) =>
    refuse(response, shape, code, status);

describe('what is tried again', () => {
  /** A script, and how many attempts it is worth. */
  const scripts: readonly [string, Script, number][] = [
    ['a server error', refused('InternalError', 'InternalError', 500), 3],
    ['a page of a proxy', (response) => response.writeHead(503).end('<html>'), 3],
    ['a gateway that waits no longer', (response) => response.writeHead(504).end(), 3],
    ['429', (response) => response.writeHead(429).end(), 3],
    ['RequestThrottled', refused('RequestThrottled', 'RequestThrottled', 403), 3],
    ['ThrottlingException', refused('ThrottlingException', 'Throttling'), 3],
    ['ThrottlingException of no older name', refused('ThrottlingException'), 3],
    ['a connection that ends without an answer', (_response, _heard, request) => request.socket.destroy(), 3],
    ['an answer that breaks off', breakOff, 3],
    ['no JSON', (response) => response.writeHead(200).end('<html>'), 1],
    ['QueueDoesNotExist', refused('QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'), 1],
    ['OverLimit', refused('OverLimit', 'OverLimit', 403), 1],
    ['KmsThrottled', refused('KmsThrottled', 'KMS.ThrottlingException'), 1],
    ['AccessDenied', refused('AccessDeniedException', 'AccessDenied', 403), 1],
    ['501', refused('NotImplemented', undefined, 501), 1],
  ];

  it.each(scripts)('%s: as often as by the SDK', async (_name, script, attempts) => {
    waitingTheirPart(0);
    clients.server.answerBy(script);
    await failureOf(send());
    expect(clients.server.heard).toHaveLength(attempts);
    clients.server.answerBy(script);
    await failureOf(sendBySdk());
    expect(clients.server.heard).toHaveLength(attempts);
    clients.server.answerBy(script);
    await failureOf(clients.sdk.send(new ReceiveMessageCommand({ QueueUrl })));
    expect(clients.server.heard).toHaveLength(attempts);
  });

  it('and then answers, with what it asked the first time', async () => {
    waitingTheirPart(0);
    let tries = 0;
    clients.server.answerBy((response) => {
      tries += 1;
      if (tries < 3) refuse(response, 'RequestThrottled', 'RequestThrottled', 403);
      else tell(response, taken);
    });
    expect(await send()).toEqual(taken);
    expect(clients.server.heard.map(({ input }) => input)).toEqual([message, message, message]);
  });

  it.each<[string, Script]>([
    ['a server error', refused('InternalError', 'InternalError', 500)],
    ['a throttle', refused('RequestThrottled', 'RequestThrottled', 403)],
  ])('waits after %s as long as the SDK', async (_name, script) => {
    waitingTheirPart(0.2);
    clients.server.answerBy(script);
    const { $metadata } = await failureOf(sendBySdk());
    const { totalRetryDelay } = $metadata as { totalRetryDelay: number };
    clients.server.answerBy(script);
    await failureOf(send());
    const [first, last] = [clients.server.heard[0]?.at ?? 0, clients.server.heard.at(-1)?.at ?? 0];
    // Timers of Node round down by up to a millisecond.
    expect(last - first).toBeGreaterThanOrEqual(totalRetryDelay - 10);
    expect(totalRetryDelay).toBeGreaterThan(10);
  });
});

describe('a wrong clock', () => {
  it('is set right by the refusal, for that call and those after it', async () => {
    waitingTheirPart(0);
    for (const ahead of [3_600_000, 0]) {
      const expired = refused('InvalidSignatureException', 'SignatureDoesNotMatch', 403);
      clients.server.answerBy(byAnotherClock(ahead, (response) => tell(response, taken), expired));
      await send();
      expect(clients.server.heard).toHaveLength(2);
      await send();
      expect(clients.server.heard).toHaveLength(3);
    }
  });
});

itTriesAgainAsTheSdk({
  pair,
  ask: (own) => own.call('AmazonSQS.SendMessage', message),
  askSdk: (sdk) => sdk.send(new SendMessageCommand(message)),
  attempts: 3,
  serverError: refused('InternalError', 'InternalError', 500),
  throttle: { name: 'RequestThrottled', script: refused('RequestThrottled', 'RequestThrottled', 403) },
});
