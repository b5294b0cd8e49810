import { setTimeout as wait } from 'node:timers/promises';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { jest } from '@jest/globals';
import {
  connection,
  isAfterLostAnswer,
  requiringObjects,
  supervised,
} from '../../../../shared/platform/aws/clients.ts';
import { withDeadline } from '../../../../shared/platform/deadline.ts';
import { wasNeverSent } from '../../../../shared/platform/httpClient.ts';
import { byAnotherClock, failureOf, type Script, startJsonServer, tell, waitingTheirPart } from './jsonServer.ts';
import { answer, clientOf, startProvider, type TestProvider } from './provider.ts';

const running: { stop(): Promise<void> | void }[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const each of running.splice(0)) await each.stop();
});
const using = async (provider: Promise<TestProvider>): Promise<TestProvider> => {
  running.push(await provider);
  return provider;
};
const client = (endpoint: string, own: Parameters<typeof clientOf>[1] = {}) => {
  const made = clientOf(endpoint, own);
  running.push({ stop: made.close });
  return made;
};
const freeze = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
/** What became of a call: `sent` when bytes of it may have gone out. */
const outcomeOf = async (call: Promise<unknown>) => {
  const error = await failureOf(call);
  return { name: error.name, code: error.code, sent: !wasNeverSent(error) };
};

/** A client that tries again as the SDK does, at a server that answers as a test wants. */
async function retrying(own: Parameters<typeof connection>[0] = {}, endpoint?: string) {
  const server = await startJsonServer();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const secrets = requiringObjects(
    supervised(
      new SecretsManagerClient({
        region: 'us-east-1',
        endpoint: endpoint ?? server.endpoint,
        credentials,
        ...connection(own),
      }),
    ),
  );
  running.push({ stop: () => secrets.destroy() }, server);
  const command = new GetSecretValueCommand({ SecretId: 'secret' });
  return { ...server, call: () => secrets.send(command) };
}
const granted: Script = (response) => tell(response, { SecretString: 'text' });
const refused =
  (name: string, status = 400): Script =>
  (response) =>
    tell(response, { __type: name, Message: 'Refused.' }, status);
const broken: Script = (_response, _heard, request) => request.socket.destroy();
const silent: Script = () => {};

describe('what the SDK tries again', () => {
  it.each<[string, Script]>([
    ['begin', silent],
    ['end', (response) => void response.writeHead(200).write('{')],
    ['arrive as it was given', (response) => response.writeHead(200, { 'x-amz-crc32': '1' }).end('{}')],
  ])('is also a call whose answer does not %s', async (_name, script) => {
    waitingTheirPart(0);
    const { answerBy, call, heard } = await retrying({ answering: 200, reading: 200 });
    answerBy(script);
    await failureOf(call());
    expect(heard).toHaveLength(3);
  });

  it('is also a call that was signed by a wrong clock, which is set right', async () => {
    waitingTheirPart(0);
    const { answerBy, call, heard } = await retrying();
    answerBy(byAnotherClock(3_600_000, granted, refused('InvalidSignatureException')));
    await call();
    expect(heard).toHaveLength(2);
    await call();
    expect(heard).toHaveLength(3);
  });
});

describe('an answer of a service that answers in objects', () => {
  const whole = async (text: string) => {
    const { answerBy, call } = await retrying();
    answerBy((response) => response.writeHead(200).end(text));
    return call();
  };

  it.each(['', 'null', '[]', '"text"'])(
    'that is none is an error, and not one that found nothing: %s',
    async (text) => {
      expect(await failureOf(whole(text))).toMatchObject({ name: 'GarbledAnswer' });
    },
  );

  it.each(['{"SecretString":', '<html>'])('that is broken is an error: %s', async (text) => {
    expect(await failureOf(whole(text))).toBeInstanceOf(Error);
  });
});

describe('an error', () => {
  it('of a call that nothing took says that it was never sent', async () => {
    waitingTheirPart(0);
    const { call } = await retrying({}, 'http://127.0.0.1:9');
    const error = await failureOf(call());
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect([wasNeverSent(error), isAfterLostAnswer(error)]).toEqual([true, false]);
  });

  it('of a call that nothing took in the end says that it may have been sent when it went out before', async () => {
    waitingTheirPart(0);
    const { answerBy, call, heard, stop } = await retrying();
    let stopped: Promise<void> | undefined;
    answerBy(() => {
      stopped = stop();
    });
    const error = await failureOf(call());
    await stopped;
    running.pop();
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    expect([wasNeverSent(error), isAfterLostAnswer(error)]).toEqual([false, true]);
    expect(heard).toHaveLength(1);
  });

  const refusal = refused('InvalidRequestException');
  it.each<[string, Script, boolean]>([
    ['nothing else', refusal, false],
    ['a server error', refused('InternalServiceError', 500), true],
    ['an answer that was lost', broken, true],
    ['an answer that broke off', (response) => void response.writeHead(200).write('{', () => response.destroy()), true],
    ['a throttle', refused('ThrottlingException'), false],
  ])('that is a refusal after %s says whether the call may have been carried out', async (_name, first, isInDoubt) => {
    waitingTheirPart(0);
    const { answerBy, call, heard } = await retrying();
    answerBy((...asked) => (heard.length === 1 ? first : refusal)(...asked));
    const error = await failureOf(call());
    expect(error).toMatchObject({ name: 'InvalidRequestException' });
    expect(isAfterLostAnswer(error)).toBe(isInDoubt);
  });

  it('of a command that is sent again says so too', async () => {
    waitingTheirPart(0);
    const { answerBy, call, heard } = await retrying();
    answerBy((...asked) => (heard.length === 1 ? broken : refusal)(...asked));
    await failureOf(call());
    expect(isAfterLostAnswer(await failureOf(call()))).toBe(true);
  });
});

describe('an answer that comes when the clock has jumped over the deadline', () => {
  it('is reported unchanged', async () => {
    // As after a laptop's sleep, or when the time is set: the deadline is past, and its timer has not come.
    const now = Date.now;
    const provider = await using(
      startProvider((request, response) => {
        request.resume().on('end', () => {
          jest.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
          response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"SendingEnabled":true}');
        });
      }),
    );
    const { call } = client(provider.endpoint);
    expect(await withDeadline(60_000, call)).toMatchObject({ SendingEnabled: true });
  });
});

describe('a deadline', () => {
  it('ends the wait for the next attempt, and says what failed', async () => {
    waitingTheirPart(0.9);
    const { answerBy, call, heard } = await retrying();
    answerBy(refused('ThrottlingException'));
    const error = await failureOf(withDeadline(500, call));
    expect(error).toMatchObject({ name: 'DeadlineExceeded', cause: { cause: { name: 'ThrottlingException' } } });
    expect(heard).toHaveLength(1);
  });

  it('ends the attempt that is under way, after which there is no other', async () => {
    const { answerBy, call, heard } = await retrying();
    answerBy(silent);
    expect(await outcomeOf(withDeadline(300, call))).toMatchObject({ name: 'DeadlineExceeded', sent: true });
    expect(heard).toHaveLength(1);
  });

  it('that is past lets nothing out', async () => {
    const { call, heard } = await retrying();
    expect(await outcomeOf(withDeadline(0, call))).toMatchObject({ name: 'DeadlineExceeded', sent: false });
    expect(heard).toHaveLength(0);
  });

  it('ends the wait for credentials, when nothing has been sent', async () => {
    const secrets = supervised(
      new SecretsManagerClient({ region: 'us-east-1', credentials: () => new Promise(() => {}), ...connection() }),
    );
    const waiting = withDeadline(200, () => secrets.send(new GetSecretValueCommand({ SecretId: 'secret' })));
    expect(await outcomeOf(waiting)).toMatchObject({ name: 'DeadlineExceeded', sent: false });
    secrets.destroy();
  });

  it('ends the call that is under way', async () => {
    const provider = await using(startProvider(() => {}));
    const { call } = client(provider.endpoint);
    expect(await outcomeOf(withDeadline(200, call))).toMatchObject({ name: 'DeadlineExceeded', sent: true });
  });

  it('ends a call that waits for a connection, of which nothing goes out later', async () => {
    const provider = await using(startProvider((...args) => setTimeout(() => answer(...args), 500)));
    const { call } = client(provider.endpoint, { connections: 1 });
    const first = call();
    expect(await outcomeOf(withDeadline(200, call))).toMatchObject({ name: 'DeadlineExceeded', sent: false });
    await first;
    await wait(300);
    expect(provider.requests()).toBe(1);
  });

  it('lets nothing out that wakes up after it, and be it before its own timer', async () => {
    const provider = await using(startProvider());
    const { call } = client(provider.endpoint);
    await call();
    const overdue = withDeadline(100, async () => {
      freeze(150);
      return call();
    });
    expect(await outcomeOf(overdue)).toMatchObject({ name: 'DeadlineExceeded', sent: false });
    expect(provider.requests()).toBe(1);
  });

  it('lets nothing out that finds its connection after it, and be it before its own timer', async () => {
    const now = Date.now;
    const provider = await using(
      startProvider((request, response) => {
        // As after a sleep: the time is over, and no timer has come.
        jest.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
        answer(request, response);
      }),
    );
    const { call } = client(provider.endpoint, { connections: 1 });
    const first = call();
    expect(await outcomeOf(withDeadline(60_000, call))).toMatchObject({ name: 'DeadlineExceeded', sent: false });
    await first;
    expect(provider.requests()).toBe(1);
  });

  it('of an inner piece of work is never later than that of the outer one', async () => {
    const provider = await using(startProvider(() => {}));
    const { call } = client(provider.endpoint);
    const begun = performance.now();
    await outcomeOf(withDeadline(200, () => withDeadline(60_000, call)));
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  it('says nothing to a hundred calls side by side but that it is over', async () => {
    const warnings: string[] = [];
    const note = (warning: Error) => warnings.push(warning.message);
    process.on('warning', note);
    const provider = await using(startProvider(() => {}));
    const { call } = client(provider.endpoint);
    const failures = await withDeadline(300, () => Promise.all(Array.from({ length: 100 }, () => outcomeOf(call()))));
    await wait(10);
    process.off('warning', note);
    expect(new Set(failures.map((failure) => failure?.name))).toEqual(new Set(['DeadlineExceeded']));
    expect(warnings).toEqual([]);
  });
});
