import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { checkMemory, memoryOf } from '../../infra/endpoints.ts';
import { logRetentions, parseSettings, readSettings } from '../../infra/settings.ts';

const root = join(import.meta.dirname, '..', '..');
const domain = { name: 'mail.example.com', certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/4a7c' };

describe('the settings of a deployment', () => {
  it('have defaults, and the example file holds these', () => {
    const example = JSON.parse(readFileSync(join(root, 'mailroom.settings.example.json'), 'utf8'));
    expect(parseSettings({})).toMatchObject({ stage: 'prod', requestsPerMinute: 600, emailRetentionDays: 365 });
    expect(parseSettings(example)).toEqual(parseSettings({}));
  });

  it('are explained in docs/settings.md', () => {
    const explained = readFileSync(join(root, 'docs', 'settings.md'), 'utf8');
    for (const name of Object.keys(parseSettings({ alarmEmail: 'a@example.com' }))) {
      expect(explained).toContain(`\`${name}`);
    }
    const rows = Object.entries(parseSettings({}).throttles).map(
      ([name, { perSecond, burst }]) => `| \`${name}\` | ${perSecond} | ${burst} | `,
    );
    expect(rows.filter((row) => !explained.includes(row))).toEqual([]);
    expect(rows).toHaveLength(8);
  });

  it.each([
    [{ stage: 'Prod 1' }, 'stage must be 1 to 20 of a-z and 0-9'],
    [{ region: 'Paris' }, 'region must be an AWS region'],
    [{ domains: [{ ...domain, name: 'https://mail.example.com' }] }, 'domains.0.name must be a domain name'],
    [{ domains: [{ name: 'mail.example.com' }] }, 'domains.0.certificateArn must be string'],
    [{ domains: [domain, domain] }, 'domains.1.name is given twice'],
    [{ region: 'eu-west-3', domains: [domain] }, 'domains.0.certificateArn must be of eu-west-3, as the API'],
    [{ closeDefaultHost: true }, 'closeDefaultHost needs a domain'],
    [{ requestsPerMinute: 0 }, 'requestsPerMinute must be >=1'],
    [{ campaignRunners: 65 }, 'campaignRunners must be <=64'],
    [{ webhookConcurrency: 1 }, 'webhookConcurrency must be >=2'],
    [{ requestsPerMinute: '600' }, 'requestsPerMinute must be number'],
    [{ throttles: { pages: { perSecond: 0.5 } } }, 'throttles.pages.perSecond must be int'],
    [{ firewall: { requestsPerFiveMinutes: 1 } }, 'firewall.requestsPerFiveMinutes must be >=10'],
    [{ logRetentionDays: 31 }, 'logRetentionDays must be one of 1, 3, 5'],
    [{ logLevel: 'LOUD' }, 'logLevel must be one of "DEBUG"|"INFO"|"WARN"|"ERROR"'],
    [{ alarmEmail: 'operator' }, 'alarmEmail must be an email address'],
    [{ alarmEndpoint: 'http://on-call.example.com' }, 'alarmEndpoint must be an https URL'],
    [{ alarmTopicArn: 'on-call' }, 'alarmTopicArn must be the ARN of a topic'],
    [{ memoryMegabytes: { 'emails.send': 64 } }, 'memoryMegabytes.emails.send must be >=128'],
    [{ console: { provider: { issuer: 'http://login.example.com', clientId: 'm' } } }, 'must be an https address'],
    [{ console: { provider: { issuer: 'https://login.example.com', clientId: 'm n' } } }, 'may hold letters'],
    [
      { console: { provider: { issuer: 'https://a.example', clientId: 'm', clientSecretArn: 'mailroom-console' } } },
      'console.provider.clientSecretArn must be the whole ARN of a secret',
    ],
    [{ console: { provider: { clientSecret: 'x' } } }, 'console.provider.clientSecret is not a setting'],
    [
      { console: { userPool: true, provider: { issuer: 'https://a.example', clientId: 'm' } } },
      'console names a user pool and a provider: choose one',
    ],
    [{ colour: 'green' }, 'colour is not a setting'],
    [{ throttles: { pages: { hourly: 1 } } }, 'throttles.pages.hourly is not a setting'],
  ])('refuse %j', (value, message) => {
    expect(() => parseSettings(value)).toThrow(message);
  });

  it('report every problem in one error', () => {
    const value = { stage: 'P', requestsPerMinute: 0, colour: 1, domains: [domain, domain], region: 'eu-west-3' };
    expect(() => parseSettings(value)).toThrow(
      /stage must be.*\n.*requestsPerMinute must.*\n.*colour is not a setting\n.*0\.certificateArn must be of eu-west-3(.|\n)*1\.name is given twice/,
    );
  });

  it('accept the retentions of CloudWatch Logs', () => {
    const known = Object.values(RetentionDays).filter((days) => typeof days === 'number' && days < 9999);
    expect(logRetentions).toEqual(known);
  });
});

describe('the memory of a function', () => {
  const settings = (memoryMegabytes: Record<string, number>) => parseSettings({ memoryMegabytes });

  it('is that of the settings, else its own, else 512 MB', () => {
    expect(memoryOf(settings({ 'emails.send': 2048 }), 'emails.send', 1024)).toBe(2048);
    expect(memoryOf(settings({}), 'emails.send', 1024)).toBe(1024);
    expect(memoryOf(settings({ sweep: 256 }), 'feedback', undefined)).toBe(512);
  });

  it('can be set for endpoints and workers, and is refused for unknown names', () => {
    const known = { 'emails.send': 512, 'webhook-delivery': 512, sweep: 512 };
    expect(() => checkMemory(settings(known))).not.toThrow();
    expect(() => checkMemory(settings({ ...known, 'email.send': 512, feedbck: 512 }))).toThrow(
      /do not exist: email\.send, feedbck\. The functions are .*emails\.send.*webhook-delivery/,
    );
  });
});

describe('the settings file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'mailroom-settings-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is read from the given path', () => {
    const file = join(folder, 'dev.json');
    writeFileSync(file, JSON.stringify({ stage: 'dev', region: 'eu-west-3' }));
    expect(readSettings(file)).toMatchObject({ stage: 'dev', region: 'eu-west-3' });
  });

  it('must exist when it is named, and hold JSON', () => {
    expect(() => readSettings(join(folder, 'none.json'))).toThrow(/There is no file .*none\.json/);
    const file = join(folder, 'broken.json');
    writeFileSync(file, '{ "stage": }');
    expect(() => readSettings(file)).toThrow(/broken\.json is not JSON/);
  });
});
