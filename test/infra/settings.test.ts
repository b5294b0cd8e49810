import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../../infra/settings.ts';

const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'cdk.json'), 'utf8'));
const withSetting = (name: string, value: unknown) => ({ ...context, [`mailroom:${name}`]: value });

describe('readSettings', () => {
  it('takes cdk.json as it is, with empty values for what is not set', () => {
    expect(readSettings(context)).toMatchObject({ stage: 'prod', requestsPerMinute: 600, emailRetentionDays: 365 });
    expect(readSettings(context).domainName).toBeUndefined();
  });

  it('takes numbers as text, which is how the command line gives them', () => {
    expect(readSettings(withSetting('requestsPerMinute', '1200')).requestsPerMinute).toBe(1200);
  });

  it.each([
    ['stage', 'Prod 1', 'must be 1 to 20 of a-z and 0-9'],
    ['region', 'Paris', 'must be an AWS region'],
    ['domainName', 'https://mail.example.com', 'must be a domain name'],
    ['requestsPerMinute', 0, '>=1'],
    ['logRetentionDays', 31, 'must be one of 1, 3, 5'],
    ['logLevel', 'LOUD', '"DEBUG"|"INFO"|"WARN"|"ERROR"'],
    ['alarmEmail', 'operator', 'Invalid email address'],
    ['colour', 'green', 'mailroom:colour is not a setting'],
  ])('refuses mailroom:%s = %p', (name, value, message) => {
    expect(() => readSettings(withSetting(name, value))).toThrow(message);
  });

  it('names everything that is wrong at once', () => {
    const { 'mailroom:stage': _stage, ...rest } = withSetting('region', 'Paris');
    expect(() => readSettings(rest)).toThrow(/mailroom:stage is missing\n {2}mailroom:region must be an AWS region/);
  });

  it('wants a certificate with a domain name, of the same region', () => {
    const domain = withSetting('domainName', 'mail.example.com');
    expect(() => readSettings(domain)).toThrow('mailroom:certificateArn must be given together with domainName');
    const certificateArn = 'arn:aws:acm:eu-west-3:111122223333:certificate/4a7c';
    const elsewhere = { ...domain, 'mailroom:certificateArn': certificateArn };
    expect(() => readSettings(elsewhere)).toThrow('mailroom:certificateArn must be of the same region as the API');
    expect(readSettings({ ...elsewhere, 'mailroom:region': 'eu-west-3' }).certificateArn).toBe(certificateArn);
  });
});
