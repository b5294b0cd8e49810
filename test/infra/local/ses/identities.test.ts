import {
  CreateConfigurationSetCommand,
  CreateEmailIdentityCommand,
  DeleteConfigurationSetCommand,
  DeleteConfigurationSetEventDestinationCommand,
  DeleteEmailIdentityCommand,
  GetConfigurationSetCommand,
  GetConfigurationSetEventDestinationsCommand,
  GetEmailIdentityCommand,
  ListConfigurationSetsCommand,
  ListEmailIdentitiesCommand,
  PutConfigurationSetTrackingOptionsCommand,
  PutEmailIdentityFeedbackAttributesCommand,
  PutEmailIdentityMailFromAttributesCommand,
} from '@aws-sdk/client-sesv2';
import { type Harness, setName, simple, startHarness } from './harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.stop());

const create = (name: string) => harness.client.send(new CreateEmailIdentityCommand({ EmailIdentity: name }));
const get = (name: string) => harness.client.send(new GetEmailIdentityCommand({ EmailIdentity: name }));

describe('identities', () => {
  it('of a domain are verified at once, with three DKIM tokens that are always the same', async () => {
    const created = await create('Shop.Test');
    const found = await get('shop.test');
    expect(created).toMatchObject({ IdentityType: 'DOMAIN', VerifiedForSendingStatus: true });
    expect(found).toMatchObject({ VerificationStatus: 'SUCCESS', DkimAttributes: { Status: 'SUCCESS' } });
    expect(found.DkimAttributes?.Tokens).toEqual(created.DkimAttributes?.Tokens);
    expect(new Set(created.DkimAttributes?.Tokens).size).toBe(3);
    expect(created.DkimAttributes?.Tokens?.every((token) => /^[a-z2-7]{32}$/.test(token))).toBe(true);
  });

  it('of an address allow that address to send, and no other of its domain', async () => {
    await create('one@single.test');
    expect((await harness.client.send(simple({ FromEmailAddress: 'one@single.test' }))).MessageId).toBeDefined();
    await expect(harness.client.send(simple({ FromEmailAddress: 'two@single.test' }))).rejects.toMatchObject({
      name: 'MessageRejected',
    });
  });

  it('stay pending while a test holds their verification, and cannot send', async () => {
    await harness.faults({ hold_verification: true });
    expect(await create('held.test')).toMatchObject({ VerifiedForSendingStatus: false });
    const command = simple({ FromEmailAddress: 'a@held.test' });
    await expect(harness.client.send(command)).rejects.toMatchObject({ name: 'MessageRejected' });
    const body = JSON.stringify({ verification_status: 'SUCCESS' });
    await harness.json('/_control/identities/held.test', { method: 'PUT', body });
    expect(await get('held.test')).toMatchObject({ VerificationStatus: 'SUCCESS', VerifiedForSendingStatus: true });
    expect((await harness.client.send(command)).MessageId).toBeDefined();
  });

  it('keep their feedback and MAIL FROM settings, with SES’s defaults', async () => {
    expect(await get('example.com')).toMatchObject({
      FeedbackForwardingStatus: true,
      MailFromAttributes: { BehaviorOnMxFailure: 'USE_DEFAULT_VALUE' },
    });
    const EmailIdentity = 'example.com';
    const mailFrom = (MailFromDomain?: string, name = EmailIdentity) =>
      harness.client.send(
        new PutEmailIdentityMailFromAttributesCommand({
          EmailIdentity: name,
          ...(MailFromDomain && { MailFromDomain }),
        }),
      );
    const feedback = (name: string) =>
      harness.client.send(
        new PutEmailIdentityFeedbackAttributesCommand({ EmailIdentity: name, EmailForwardingEnabled: false }),
      );
    await feedback(EmailIdentity);
    await mailFrom('Mail.example.com');
    expect(await get('example.com')).toMatchObject({
      FeedbackForwardingStatus: false,
      MailFromAttributes: { MailFromDomain: 'mail.example.com', MailFromDomainStatus: 'SUCCESS' },
    });
    for (const wrong of ['example.com', 'mail.example.net', 'mail_.example.com']) {
      await expect(mailFrom(wrong)).rejects.toMatchObject({ name: 'BadRequestException' });
    }
    for (const call of [() => mailFrom('mail.other.test', 'other.test'), () => feedback('other.test')]) {
      await expect(call()).rejects.toMatchObject({ name: 'NotFoundException' });
    }
    await mailFrom();
    const { MailFromAttributes, FeedbackForwardingStatus } = await get('example.com');
    expect([MailFromAttributes?.MailFromDomain, FeedbackForwardingStatus]).toEqual([undefined, false]);
  });

  it('are created once, found or not, and deleted', async () => {
    await expect(create('example.com')).rejects.toMatchObject({ name: 'AlreadyExistsException' });
    await expect(create('no domain')).rejects.toMatchObject({ name: 'BadRequestException' });
    await expect(get('other.test')).rejects.toMatchObject({ name: 'NotFoundException' });
    await harness.client.send(new DeleteEmailIdentityCommand({ EmailIdentity: 'example.com' }));
    await expect(get('example.com')).rejects.toMatchObject({ name: 'NotFoundException' });
    await expect(harness.client.send(simple())).rejects.toMatchObject({ name: 'MessageRejected' });
  });

  it('are listed page by page', async () => {
    await create('a.test');
    await create('b.test');
    const first = await harness.client.send(new ListEmailIdentitiesCommand({ PageSize: 2 }));
    const rest = await harness.client.send(new ListEmailIdentitiesCommand({ PageSize: 2, NextToken: first.NextToken }));
    const names = [...(first.EmailIdentities ?? []), ...(rest.EmailIdentities ?? [])].map(
      (entry) => entry.IdentityName,
    );
    expect([names, rest.NextToken]).toEqual([['a.test', 'b.test', 'example.com'], undefined]);
  });
});

describe('configuration sets', () => {
  it('are created once, with options that can be put', async () => {
    const command = new CreateConfigurationSetCommand({ ConfigurationSetName: setName });
    await expect(harness.client.send(command)).rejects.toMatchObject({ name: 'AlreadyExistsException' });
    await harness.client.send(
      new PutConfigurationSetTrackingOptionsCommand({ ConfigurationSetName: setName, CustomRedirectDomain: 'l.test' }),
    );
    const found = await harness.client.send(new GetConfigurationSetCommand({ ConfigurationSetName: setName }));
    expect(found).toMatchObject({ ConfigurationSetName: setName, TrackingOptions: { CustomRedirectDomain: 'l.test' } });
  });

  it('lose a destination without losing the set, and are gone when deleted', async () => {
    const name = { ConfigurationSetName: setName };
    await harness.client.send(
      new DeleteConfigurationSetEventDestinationCommand({ ...name, EventDestinationName: 'sns' }),
    );
    const left = await harness.client.send(new GetConfigurationSetEventDestinationsCommand(name));
    expect(left.EventDestinations).toEqual([]);
    await harness.client.send(new DeleteConfigurationSetCommand(name));
    const listed = await harness.client.send(new ListConfigurationSetsCommand({}));
    expect(listed.ConfigurationSets).toEqual([]);
    const command = new GetConfigurationSetEventDestinationsCommand(name);
    await expect(harness.client.send(command)).rejects.toMatchObject({ name: 'NotFoundException' });
  });
});
