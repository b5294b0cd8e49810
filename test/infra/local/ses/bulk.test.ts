import { type BulkEmailEntry, SendBulkEmailCommand, type SendBulkEmailCommandInput } from '@aws-sdk/client-sesv2';
import { type Harness, setName, simple, startHarness } from './harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.stop());

const entry = (address: string, data?: object, rest: Partial<BulkEmailEntry> = {}): BulkEmailEntry => ({
  Destination: { ToAddresses: [address] },
  ...(data && { ReplacementEmailContent: { ReplacementTemplate: { ReplacementTemplateData: JSON.stringify(data) } } }),
  ...rest,
});
const template = {
  TemplateContent: { Subject: 'Hi {{name}}', Text: 'Dear {{name}}, {{ city }}', Html: '<p>Dear {{name}}</p>' },
  TemplateData: JSON.stringify({ city: 'Lyon' }),
  Headers: [
    { Name: 'X-Campaign', Value: 'one' },
    { Name: 'X-Kept', Value: 'yes' },
  ],
};
const bulk = async (entries: BulkEmailEntry[], rest: Partial<SendBulkEmailCommandInput> = {}) => {
  const command = new SendBulkEmailCommand({
    FromEmailAddress: 'Shop <shop@example.com>',
    DefaultContent: { Template: template },
    BulkEmailEntries: entries,
    ConfigurationSetName: setName,
    ...rest,
  });
  return (await harness.client.send(command)).BulkEmailEntryResults ?? [];
};
const message = (id: string | undefined) => harness.json(`/_inbox/messages/${id}`);
const headerOf = (read: { headers: { name: string; value: string }[] }, name: string) =>
  read.headers.find((header) => header.name === name)?.value;

describe('SendBulkEmail', () => {
  it('renders each entry with its own data over the defaults, and escapes nothing', async () => {
    const results = await bulk([
      entry('ann@customer.test', { name: '<Ann>' }),
      entry('bob@customer.test', { name: 'Bob', city: 'Paris' }),
    ]);
    expect(results.map((result) => result.Status)).toEqual(['SUCCESS', 'SUCCESS']);
    const [first, second] = await Promise.all(results.map((result) => message(result.MessageId)));
    expect(first).toMatchObject({ subject: 'Hi <Ann>', recipients: ['ann@customer.test'] });
    expect(first.text.trim()).toBe('Dear <Ann>, Lyon');
    expect(first.html).toContain('<p>Dear <Ann></p>');
    expect(second.text.trim()).toBe('Dear Bob, Paris');
  });

  it('lets an entry replace tags and headers by name', async () => {
    const own = {
      ReplacementTags: [{ Name: 'kind', Value: 'own' }],
      ReplacementHeaders: [{ Name: 'x-campaign', Value: 'two' }],
    };
    const tags = [
      { Name: 'kind', Value: 'default' },
      { Name: 'run', Value: '7' },
    ];
    const [result] = await bulk([entry('ann@customer.test', { name: 'Ann' }, own)], { DefaultEmailTags: tags });
    const [sent] = await harness.waitFor('Send', String(result?.MessageId));
    expect(sent.mail.tags).toMatchObject({ kind: ['own'], run: ['7'], 'ses:operation': ['SendBulkEmail'] });
    const read = await message(result?.MessageId);
    expect([headerOf(read, 'x-campaign') ?? headerOf(read, 'X-Campaign'), headerOf(read, 'X-Kept')]).toEqual([
      'two',
      'yes',
    ]);
  });

  it('accepts what it cannot render, sends nothing, and publishes a Rendering Failure', async () => {
    const [result] = await bulk([entry('ann@customer.test')]);
    expect(result?.Status).toBe('SUCCESS');
    const [failed] = await harness.waitFor('Rendering Failure', String(result?.MessageId));
    expect(failed.failure.errorMessage).toBe("Attribute 'name' is not present in the rendering data.");
    expect((await harness.json('/_inbox/messages')).data).toEqual([]);
  });

  it('answers 200 with a status for each entry that fails', async () => {
    const results = await bulk([
      entry('ann', { name: 'a' }),
      entry('ann@customer.test', { name: 'a' }, { ReplacementTags: [{ Name: 'a b', Value: 'c' }] }),
      entry('ok@customer.test', { name: 'a' }),
    ]);
    expect(results.map((result) => result.Status)).toEqual(['INVALID_PARAMETER', 'INVALID_PARAMETER', 'SUCCESS']);
    expect(results[0]).toMatchObject({ Error: "Missing final '@domain'." });
  });

  it.each([
    ['an unverified sender', { FromEmailAddress: 'a@elsewhere.test' }, 'MESSAGE_REJECTED'],
    ['an unknown configuration set', { ConfigurationSetName: 'other' }, 'CONFIGURATION_SET_NOT_FOUND'],
  ])('reports %s in each entry', async (_, rest, status) => {
    const results = await bulk(
      [entry('ann@customer.test', { name: 'a' }), entry('bob@customer.test', { name: 'b' })],
      rest,
    );
    expect(results.map((result) => result.Status)).toEqual([status, status]);
  });

  it('accepts entries until the rate or the daily quota is reached', async () => {
    const three = ['a', 'b', 'c'].map((name) => entry(`${name}@customer.test`, { name }));
    await harness.faults({ rate_per_second: 0.01 });
    expect((await bulk(three)).map((result) => result.Status)).toEqual(
      Array(3).fill('ACCOUNT_THROTTLED').with(0, 'SUCCESS'),
    );
    await harness.faults({ max_24_hour_send: 3 });
    expect((await bulk(three)).map((result) => result.Status)).toEqual([
      'SUCCESS',
      'SUCCESS',
      'ACCOUNT_DAILY_QUOTA_EXCEEDED',
    ]);
    await harness.faults({ sending_paused: true });
    expect((await bulk(three.slice(0, 1)))[0]?.Status).toBe('ACCOUNT_SENDING_PAUSED');
  });

  it('fails the next entries with the status of the fault', async () => {
    await harness.faults({ bulk_entry_error: { status: 'TRANSIENT_FAILURE', next: 1 } });
    const two = ['a', 'b'].map((name) => entry(`${name}@customer.test`, { name }));
    expect((await bulk(two)).map((result) => result.Status)).toEqual(['TRANSIENT_FAILURE', 'SUCCESS']);
  });

  it.each([
    [
      '51 entries',
      Array.from({ length: 51 }, (_, index) => entry(`u${index}@customer.test`)),
      {},
      'BadRequestException',
    ],
    ['no entry', [], {}, 'BadRequestException'],
    [
      'a stored template',
      [entry('a@customer.test')],
      { DefaultContent: { Template: { TemplateName: 't' } } },
      'NotFoundException',
    ],
    [
      'two open trackers',
      [entry('a@customer.test')],
      {
        DefaultContent: {
          Template: { TemplateContent: { Subject: 's', Html: '{{ses:openTracker}}{{ses:openTracker}}' } },
        },
      },
      'BadRequestException',
    ],
  ])('refuses %s', async (_, entries, rest, name) => {
    await expect(bulk(entries, rest)).rejects.toMatchObject({ name });
  });
});

describe('SendEmail with an inline template', () => {
  it('substitutes as well', async () => {
    const data = JSON.stringify({ name: 'Ann', city: 'Lyon' });
    const { MessageId } = await harness.client.send(
      simple({ Content: { Template: { ...template, TemplateData: data } } }),
    );
    expect(await message(MessageId)).toMatchObject({ subject: 'Hi Ann' });
  });

  it('refuses template data that is not a JSON object', async () => {
    const content = { Template: { ...template, TemplateData: '[1]' } };
    await expect(harness.client.send(simple({ Content: content }))).rejects.toMatchObject({
      name: 'BadRequestException',
    });
  });
});
