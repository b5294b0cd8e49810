import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateConfigurationSetCommand,
  CreateConfigurationSetEventDestinationCommand,
  CreateEmailIdentityCommand,
  EventType,
  SESv2Client,
  SendEmailCommand,
  type SendEmailCommandInput,
} from '@aws-sdk/client-sesv2';
import { type LocalSes, type SesFaults, startLocalSes } from '../../../../infra/local/ses/server.ts';
import { temporaryFolder, until } from '../processes.ts';

// biome-ignore lint/suspicious/noExplicitAny: events are AWS's JSON, read field by field.
export type SesEvent = any;

export interface Harness {
  readonly ses: LocalSes;
  readonly client: SESv2Client;
  readonly events: SesEvent[];
  readonly databasePath: string;
  /** Waits for events of a type about a message, and answers them. */
  waitFor(type: string, messageId: string, count?: number): Promise<SesEvent[]>;
  json(path: string, init?: RequestInit): Promise<SesEvent>;
  faults(faults: object): Promise<void>;
  stop(): Promise<void>;
}

export const topicArn = 'arn:aws:sns:us-east-1:000000000000:feedback';
export const setName = 'mail';

/** A server of its own with the verified domain example.com and a configuration set that publishes everything. */
export async function startHarness(faults: Partial<SesFaults> = {}, now = Date.now): Promise<Harness> {
  const folder = await temporaryFolder();
  const databasePath = join(folder.path, 'ses.sqlite');
  const events: SesEvent[] = [];
  const publish = async (_topic: string, json: string) => void events.push(JSON.parse(json));
  const ses = await startLocalSes({ databasePath, publish, faults: { event_delay_ms: 10, ...faults }, now });
  const client = sesClient(ses.endpoint);
  await prepare(client);
  const json = async (path: string, init?: RequestInit) => (await fetch(`${ses.endpoint}${path}`, init)).json();
  return {
    ses,
    client,
    events,
    databasePath,
    waitFor: async (type, messageId, count = 1) => {
      const matching = () => events.filter((event) => event.eventType === type && event.mail.messageId === messageId);
      await until(`${count} ${type} of ${messageId}`, () => matching().length >= count);
      return matching();
    },
    json,
    faults: async (body) => {
      await json('/_control/faults', { method: 'PUT', body: JSON.stringify(body) });
    },
    stop: async () => {
      client.destroy();
      await ses.stop();
      await folder.remove();
    },
  };
}

export function sesClient(endpoint: string): SESv2Client {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  return new SESv2Client({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
}

async function prepare(client: SESv2Client): Promise<void> {
  await client.send(new CreateEmailIdentityCommand({ EmailIdentity: 'example.com' }));
  await client.send(new CreateConfigurationSetCommand({ ConfigurationSetName: setName }));
  await client.send(
    new CreateConfigurationSetEventDestinationCommand({
      ConfigurationSetName: setName,
      EventDestinationName: 'sns',
      EventDestination: {
        Enabled: true,
        MatchingEventTypes: Object.values(EventType),
        SnsDestination: { TopicArn: topicArn },
      },
    }),
  );
}

/** A Simple message with the configuration set; arguments replace the defaults. */
export function simple(overrides: Partial<SendEmailCommandInput> = {}, html?: string): SendEmailCommand {
  const body = html === undefined ? { Text: { Data: 'Hello' } } : { Html: { Data: html } };
  return new SendEmailCommand({
    FromEmailAddress: 'Shop <shop@example.com>',
    Destination: { ToAddresses: ['ann@customer.test'] },
    Content: { Simple: { Subject: { Data: 'Hello' }, Body: body } },
    ConfigurationSetName: setName,
    ...overrides,
  });
}

export function raw(message: string | Buffer, overrides: Partial<SendEmailCommandInput> = {}): SendEmailCommand {
  return new SendEmailCommand({
    FromEmailAddress: 'shop@example.com',
    Destination: { ToAddresses: ['ann@customer.test'] },
    Content: { Raw: { Data: Buffer.from(message) } },
    ConfigurationSetName: setName,
    ...overrides,
  });
}

/** Lines joined by CRLF. */
export const lines = (...text: readonly string[]) => text.join('\r\n');

export const plain = lines(
  'From: Shop <shop@example.com>',
  'To: ann@customer.test',
  'Subject: Hello',
  'MIME-Version: 1.0',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Hello',
  '',
);

export function sample(name: string): SesEvent {
  return JSON.parse(readFileSync(join('test', 'fixtures', 'ses-events', `aws-sns-${name}.json`), 'utf8'));
}
