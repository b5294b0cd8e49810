import {
  GetConfigurationSetEventDestinationsCommand,
  UpdateConfigurationSetEventDestinationCommand,
} from '@aws-sdk/client-sesv2';
import {
  type Harness,
  lines,
  plain,
  raw,
  type SesEvent,
  sample,
  setName,
  simple,
  startHarness,
  topicArn,
} from './harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.stop());

const sendTo = async (...recipients: string[]) => {
  const command = simple({
    Destination: { ToAddresses: recipients },
    EmailTags: [{ Name: 'email_id', Value: 'email_1' }],
  });
  return String((await harness.client.send(command)).MessageId);
};
const emit = (message_id: string, type: string, rest: object = {}) =>
  harness.json('/_control/events', { method: 'POST', body: JSON.stringify({ message_id, type, ...rest }) });
const keys = (value: SesEvent) => Object.keys(value).sort();

describe('an ordinary message', () => {
  it('is reported as sent and then as delivered, with its tags', async () => {
    const id = await sendTo('Ann <ann@customer.test>');
    const [delivered] = await harness.waitFor('Delivery', id);
    expect(harness.events.map((event) => event.eventType)).toEqual(['Send', 'Delivery']);
    expect(delivered.delivery.recipients).toEqual(['ann@customer.test']);
    expect(delivered.mail).toMatchObject({
      messageId: id,
      source: 'Shop <shop@example.com>',
      destination: ['Ann <ann@customer.test>'],
      commonHeaders: { from: ['Shop <shop@example.com>'], subject: 'Hello', messageId: id },
      tags: {
        email_id: ['email_1'],
        'ses:configuration-set': [setName],
        'ses:operation': ['SendEmail'],
        'ses:from-domain': ['example.com'],
      },
    });
  });

  it('is delivered to each recipient once, in an event of its own', async () => {
    const id = await sendTo('ann@customer.test', 'bob@customer.test', 'ann@customer.test');
    const delivered = await harness.waitFor('Delivery', id, 2);
    expect(delivered.map((event) => event.delivery.recipients)).toEqual([['ann@customer.test'], ['bob@customer.test']]);
  });
});

describe('the simulator', () => {
  it('bounces permanently', async () => {
    const [bounced] = await harness.waitFor('Bounce', await sendTo('bounce+7@simulator.amazonses.com'));
    expect(bounced.bounce).toMatchObject({
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: 'bounce+7@simulator.amazonses.com', action: 'failed', status: '5.1.1' }],
    });
    expect(harness.events.map((event) => event.eventType)).not.toContain('Delivery');
  });

  it('bounces what is on the suppression list', async () => {
    const [bounced] = await harness.waitFor('Bounce', await sendTo('suppressionlist@simulator.amazonses.com'));
    expect(bounced.bounce).toMatchObject({ bounceType: 'Permanent', bounceSubType: 'OnAccountSuppressionList' });
  });

  it('complains after the delivery', async () => {
    const id = await sendTo('complaint@simulator.amazonses.com');
    const [complained] = await harness.waitFor('Complaint', id);
    expect(complained.complaint).toMatchObject({
      complaintFeedbackType: 'abuse',
      complainedRecipients: [{ emailAddress: 'complaint@simulator.amazonses.com' }],
    });
    expect(harness.events.map((event) => event.eventType)).toEqual(['Send', 'Delivery', 'Complaint']);
  });

  it('reports out of office as a transient bounce after the delivery', async () => {
    const [bounced] = await harness.waitFor('Bounce', await sendTo('ooto@simulator.amazonses.com'));
    expect(bounced.bounce).toMatchObject({ bounceType: 'Transient', bounceSubType: 'General' });
    expect(harness.events.map((event) => event.eventType)).toEqual(['Send', 'Delivery', 'Bounce']);
  });

  it('delivers to success@, and decides for each recipient separately', async () => {
    const id = await sendTo('success@simulator.amazonses.com', 'bounce@simulator.amazonses.com');
    const [delivered] = await harness.waitFor('Delivery', id);
    const [bounced] = await harness.waitFor('Bounce', id);
    expect(delivered.delivery.recipients).toEqual(['success@simulator.amazonses.com']);
    expect(bounced.bounce.bouncedRecipients).toHaveLength(1);
  });
});

describe('a virus', () => {
  const eicar = 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*';

  it('is rejected, and nothing is delivered', async () => {
    const attachment = { FileName: 'test.txt', RawContent: Buffer.from(eicar), ContentType: 'text/plain' };
    const content = { Subject: { Data: 'x' }, Body: { Text: { Data: 'x' } }, Attachments: [attachment] };
    const { MessageId } = await harness.client.send(simple({ Content: { Simple: content } }));
    const [rejected] = await harness.waitFor('Reject', String(MessageId));
    expect(rejected.reject).toEqual({ reason: 'Bad content' });
    expect(harness.events.map((event) => event.eventType)).not.toContain('Delivery');
  });
});

describe('the form of published events', () => {
  const bySample = [
    ['Send', 'send'],
    ['Delivery', 'delivery'],
    ['Bounce', 'bounce'],
    ['Complaint', 'complaint'],
    ['DeliveryDelay', 'deliveryDelay'],
    ['Reject', 'reject'],
    ['RenderingFailure', 'failure'],
  ] as const;

  it.each(bySample)('%s has the fields of AWS’s published sample', async (type, detail) => {
    const id = await sendTo('ann@customer.test');
    await emit(id, type);
    const expected = sample(type);
    const found = (await harness.waitFor(expected.eventType, id)).at(-1);
    expect(keys(found)).toEqual(keys(expected));
    expect(keys(found.mail)).toEqual(keys(expected.mail));
    expect(keys(found[detail])).toEqual(keys(expected[detail]));
    expect(found.mail.tags).toMatchObject({ email_id: ['email_1'], 'ses:configuration-set': [setName] });
  });

  it.each([
    ['Open', 'open'],
    ['Click', 'click'],
  ] as const)('%s has them too, and the newer isBotEvent', async (type, detail) => {
    const id = await sendTo('ann@customer.test');
    await emit(id, type, { user_agent: 'SomeBot/1.0' });
    const [found] = await harness.waitFor(type, id);
    const expected = sample(type);
    expect(keys(found.mail)).toEqual(keys(expected.mail));
    expect(keys(found[detail])).toEqual([...keys(expected[detail]), 'isBotEvent'].sort());
    expect(found[detail].isBotEvent).toBe('Likely');
  });

  it('has the fields of the sample for each bounced and delayed recipient', async () => {
    const id = await sendTo('bounce@simulator.amazonses.com');
    await emit(id, 'DeliveryDelay');
    const [bounced] = await harness.waitFor('Bounce', id);
    const [delayed] = await harness.waitFor('DeliveryDelay', id);
    expect(keys(bounced.bounce.bouncedRecipients[0])).toEqual(keys(sample('Bounce').bounce.bouncedRecipients[0]));
    const expected = sample('DeliveryDelay').deliveryDelay.delayedRecipients[0];
    expect(keys(delayed.deliveryDelay.delayedRecipients[0])).toEqual(keys(expected));
  });
});

describe('events on demand', () => {
  it('have the requested type and recipient', async () => {
    const id = await sendTo('ann@customer.test', 'bob@customer.test');
    await emit(id, 'Bounce', {
      recipient: 'bob@customer.test',
      bounce_type: 'Transient',
      bounce_sub_type: 'MailboxFull',
    });
    const [bounced] = await harness.waitFor('Bounce', id);
    expect(bounced.bounce).toMatchObject({
      bounceType: 'Transient',
      bounceSubType: 'MailboxFull',
      bouncedRecipients: [{ emailAddress: 'bob@customer.test' }],
    });
  });

  it('are refused for an unknown message and an unknown type', async () => {
    const post = (body: object) =>
      fetch(`${harness.ses.endpoint}/_control/events`, { method: 'POST', body: JSON.stringify(body) });
    expect((await post({ message_id: 'none', type: 'Open' })).status).toBe(404);
    expect((await post({ message_id: '1', type: 'Nothing' })).status).toBe(400);
  });
});

describe('configuration sets', () => {
  it('publish only what they match', async () => {
    await harness.client.send(
      new UpdateConfigurationSetEventDestinationCommand({
        ConfigurationSetName: setName,
        EventDestinationName: 'sns',
        EventDestination: { Enabled: true, MatchingEventTypes: ['DELIVERY'], SnsDestination: { TopicArn: topicArn } },
      }),
    );
    await harness.waitFor('Delivery', await sendTo('ann@customer.test'));
    expect(harness.events.map((event) => event.eventType)).toEqual(['Delivery']);
    const { EventDestinations } = await harness.client.send(
      new GetConfigurationSetEventDestinationsCommand({ ConfigurationSetName: setName }),
    );
    expect(EventDestinations).toMatchObject([{ Name: 'sns', MatchingEventTypes: ['DELIVERY'] }]);
  });

  it('are needed: without one nothing is published, but the inbox shows the events', async () => {
    const { MessageId } = await harness.client.send(simple({ ConfigurationSetName: undefined }));
    await harness.waitFor('Delivery', await sendTo('bob@customer.test'));
    expect(harness.events.every((event) => event.mail.messageId !== MessageId)).toBe(true);
    const { events } = await harness.json(`/_inbox/messages/${MessageId}`);
    expect(events.map((event: SesEvent) => event.type)).toEqual(['Send', 'Delivery']);
  });

  it('and tags come from the X-SES headers of a raw message, unless the call names them', async () => {
    const headers = lines('X-SES-CONFIGURATION-SET: mail', 'X-SES-MESSAGE-TAGS: a=1, b=2', '');
    const plainCall = { ConfigurationSetName: undefined };
    const first = await harness.client.send(raw(headers + plain, plainCall));
    const tags = { EmailTags: [{ Name: 'c', Value: '3' }] };
    const second = await harness.client.send(raw(headers + plain, { ...plainCall, ...tags }));
    const [one] = await harness.waitFor('Send', String(first.MessageId));
    const [two] = await harness.waitFor('Send', String(second.MessageId));
    expect(one.mail.tags).toMatchObject({ a: ['1'], b: ['2'] });
    expect(two.mail.tags).toMatchObject({ c: ['3'] });
    expect(two.mail.tags).not.toHaveProperty('a');
  });
});
