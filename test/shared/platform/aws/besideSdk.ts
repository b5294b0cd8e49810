import { jest } from '@jest/globals';
import { connection } from '../../../../shared/platform/aws/connection.ts';
import type { ConnectionPolicy } from '../../../../shared/platform/aws/transport.ts';
import { wasNeverSent } from '../../../../shared/platform/aws/unanswered.ts';
import { takeSettings } from '../../../../shared/platform/config.ts';
import { withDeadline } from '../../../../shared/platform/deadline.ts';
import { failureOf, type Script, startJsonServer, waitingTheirPart } from './jsonServer.ts';

interface Client {
  destroy(): void;
}

/** A client of ours and the SDK's of the same service. */
export interface Pair<Own extends Client, Sdk extends Client> {
  /** Where ours learns the endpoint from. */
  readonly variable: `AWS_ENDPOINT_URL_${'DYNAMODB' | 'SCHEDULER' | 'SECRETS_MANAGER' | 'SQS'}`;
  own(policy: Partial<ConnectionPolicy>): Own;
  sdk(options: { readonly endpoint: string } & ReturnType<typeof connection>): Sdk;
}

/** Both at one server. Made anew for each test, as a quota of retries is a client's own. */
export function usePair<Own extends Client, Sdk extends Client>(
  { variable, own, sdk }: Pair<Own, Sdk>,
  policy: Partial<ConnectionPolicy> = {},
) {
  const clients = {} as { server: Awaited<ReturnType<typeof startJsonServer>>; own: Own; sdk: Sdk };
  beforeAll(async () => {
    clients.server = await startJsonServer();
    Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
  });
  afterAll(() => clients.server.stop());
  beforeEach(() => {
    takeSettings({ [variable]: clients.server.endpoint });
    clients.own = own(policy);
    clients.sdk = sdk({ endpoint: clients.server.endpoint, ...connection(policy) });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    clients.own.destroy();
    clients.sdk.destroy();
  });
  return clients;
}

interface Compared<Own extends Client, Sdk extends Client> {
  readonly pair: Pair<Own, Sdk>;
  /** The same operation by each. */
  ask(own: Own): Promise<unknown>;
  askSdk(sdk: Sdk): Promise<unknown>;
  /** How often what passes is tried in all. */
  readonly attempts: number;
  readonly serverError: Script;
  readonly throttle: { readonly name: string; readonly script: Script };
}

/** What is tried again, and how long, whatever the service: to be called in a file of tests. */
export function itTriesAgainAsTheSdk<Own extends Client, Sdk extends Client>(compared: Compared<Own, Sdk>): void {
  const { pair, ask, askSdk, attempts, serverError, throttle } = compared;

  describe('what is tried again of any service', () => {
    const clients = usePair(pair);

    it('draws on one quota for all calls, as large as that of the SDK', async () => {
      waitingTheirPart(0);
      const attemptsOf = async (call: () => Promise<unknown>) => {
        clients.server.answerBy(serverError);
        await Promise.all(Array.from({ length: 60 }, () => failureOf(call())));
        return clients.server.heard.length;
      };
      const made = await attemptsOf(() => ask(clients.own));
      expect(made).toBeLessThan(120);
      expect(made).toBe(await attemptsOf(() => askSdk(clients.sdk)));
    });
  });

  describe('what stays away', () => {
    const impatient = usePair(pair, { answering: 200, reading: 200 });

    it.each<[string, Script]>([
      ['begin', () => {}],
      ['end', (response) => void response.writeHead(200).write('{')],
    ])('is asked for again when an answer does not %s, as often as by the SDK', async (_name, script) => {
      waitingTheirPart(0);
      impatient.server.answerBy(script);
      await failureOf(ask(impatient.own));
      const made = impatient.server.heard.length;
      impatient.server.answerBy(script);
      await failureOf(askSdk(impatient.sdk));
      expect([made, impatient.server.heard.length]).toEqual([attempts, attempts]);
    });
  });

  describe('a deadline', () => {
    const clients = usePair(pair);

    it('ends the wait for the next attempt, and says what failed', async () => {
      waitingTheirPart(0.9);
      clients.server.answerBy(throttle.script);
      const error = await failureOf(withDeadline(500, () => ask(clients.own)));
      expect(error).toMatchObject({ name: 'DeadlineExceeded', cause: { name: throttle.name } });
      expect(clients.server.heard).toHaveLength(1);
    });

    it('ends the attempt that is under way, after which there is no other', async () => {
      clients.server.answerBy(() => {});
      const error = await failureOf(withDeadline(300, () => ask(clients.own)));
      expect(error).toMatchObject({ name: 'DeadlineExceeded' });
      expect(clients.server.heard).toHaveLength(1);
    });

    it('that is past lets nothing out', async () => {
      clients.server.answerBy(serverError);
      const error = await failureOf(withDeadline(0, () => ask(clients.own)));
      expect(error).toMatchObject({ name: 'DeadlineExceeded' });
      expect(wasNeverSent(error)).toBe(true);
      expect(clients.server.heard).toHaveLength(0);
    });
  });
}
