import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createId } from '../../../shared/domain/identifier.ts';
import type { FeedbackEvent } from '../../../shared/domain/sending/feedbackEvent.ts';
import { readFeedback } from '../../../shared/email/feedbackEvent.ts';
import { feedbackOrigin, feedbackTags, ownTags } from '../../../shared/email/feedbackTags.ts';

const folder = join(import.meta.dirname, '..', '..', 'fixtures', 'ses-events');
const fixtures = readdirSync(folder).filter((name) => /^aws-(sns|firehose)-.*\.json$/.test(name));
const email = {
  kind: 'email',
  id: createId('email', new Date()),
  workspaceId: createId('ws', new Date()),
  envelope: 2,
  minute: 29_394_059,
} as const;
const campaign = {
  kind: 'campaign',
  id: createId('camp', new Date()),
  workspaceId: email.workspaceId,
  chunk: 1999,
  position: 499,
  attempt: 'a1',
} as const;
const probe = { kind: 'probe', id: campaign.id, workspaceId: email.workspaceId } as const;

const asEventTags = (tags: readonly { name: string; value: string }[]) =>
  Object.fromEntries(tags.map(({ name, value }) => [name, [value]]));

type Fixture = { mail: Record<string, unknown> } & Record<string, Record<string, unknown>>;

/** One of AWS's own examples, with our tags. */
function example(name: string, tags: Record<string, string[]>, change: (event: Fixture) => void = () => {}): string {
  const event = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Fixture;
  event.mail = { ...event.mail, tags: { ...(event.mail.tags as object), ...tags } };
  change(event);
  return JSON.stringify(event);
}

const events = (name: string, change?: (event: Fixture) => void): readonly FeedbackEvent[] =>
  readFeedback(example(name, asEventTags(feedbackTags(email, [])), change))?.events ?? [];

describe('the origin of a message', () => {
  it.each([email, campaign, probe])('is read from the tags of a message as it was written: $kind', (origin) => {
    expect(feedbackOrigin(asEventTags(feedbackTags(origin, [])))).toEqual(origin);
  });

  it('leaves the caller its own tags, but none with a name of the service', () => {
    const own = [
      { name: 'category', value: 'receipt' },
      { name: 'mailroom_campaign', value: 'forged' },
    ];
    const tags = asEventTags(feedbackTags(email, own));
    expect(feedbackOrigin(tags)).toEqual(email);
    expect(ownTags({ ...tags, 'ses:source-ip': ['192.0.2.0'] })).toEqual([{ name: 'category', value: 'receipt' }]);
  });

  it('is null for mail of other senders, and an error for a kind of a later release', () => {
    expect(feedbackOrigin({ 'ses:source-ip': ['192.0.2.0'] })).toBeNull();
    expect(feedbackOrigin(undefined)).toBeNull();
    expect(() => feedbackOrigin({ mailroom_workspace: ['ws_1'], mailroom_digest: ['dig_1'] })).toThrow(/name no email/);
  });
});

describe('readFeedback', () => {
  it.each(fixtures)("reads AWS's own %s", (name) => {
    const types: Record<string, FeedbackEvent['type'][]> = {
      Send: ['accepted'],
      Delivery: ['delivered'],
      Bounce: ['bounced'],
      Complaint: ['complained'],
      Open: ['opened'],
      Click: ['clicked'],
      DeliveryDelay: ['delayed'],
      Reject: ['dropped'],
      RenderingFailure: ['dropped'],
      Subscription: [],
    };
    const type = /-(\w+)\.json$/.exec(name)?.[1] ?? '';
    expect(events(name).map((event) => event.type)).toEqual(types[type]);
  });

  it('reads the recipient and the reason of a bounce and a complaint', () => {
    expect(events('aws-sns-Bounce.json')).toEqual([
      {
        type: 'bounced',
        recipient: 'recipient@example.com',
        at: new Date('2017-08-05T00:41:02.669Z'),
        byAccount: false,
        bounce: { type: 'Permanent', subtype: 'General', diagnostic: 'smtp; 550 5.1.1 user unknown' },
      },
    ]);
    expect(events('aws-sns-Complaint.json')).toEqual([
      {
        type: 'complained',
        recipient: 'recipient@example.com',
        at: new Date('2017-08-05T00:41:02.669Z'),
        byAccount: false,
        complaint: { feedbackType: 'abuse' },
      },
    ]);
  });

  it("distinguishes refusals by SES's own suppression list from those of a recipient", () => {
    const refused = (name: string, field: string, subtype: Record<string, string>) =>
      events(name, (event) => Object.assign(event[field] ?? {}, subtype)).map(
        (event) => 'byAccount' in event && event.byAccount,
      );
    expect(refused('aws-sns-Bounce.json', 'bounce', { bounceSubType: 'OnAccountSuppressionList' })).toEqual([true]);
    expect(refused('aws-sns-Bounce.json', 'bounce', { bounceSubType: 'Suppressed' })).toEqual([true]);
    const complaint = { complaintSubType: 'OnAccountSuppressionList' };
    expect(refused('aws-sns-Complaint.json', 'complaint', complaint)).toEqual([true]);
  });

  it.each(['Transient', 'Undetermined'])('reads a %s bounce as a message that was given up', (bounceType) => {
    const read = events('aws-sns-Bounce.json', ({ bounce }) => Object.assign(bounce ?? {}, { bounceType }));
    expect(read).toEqual([
      {
        type: 'undelivered',
        recipient: 'recipient@example.com',
        at: new Date('2017-08-05T00:41:02.669Z'),
        failure: { type: bounceType, diagnostic: 'smtp; 550 5.1.1 user unknown' },
      },
    ]);
  });

  it.each(['aws-sns-Send.json', 'aws-sns-Reject.json', 'aws-sns-RenderingFailure.json'])(
    'reads the time and every recipient of the message of %s, each once',
    (name) => {
      const destination = ['Ada <ADA@example.com>', 'ada@example.com', 'bob@example.com'];
      const [event] = events(name, ({ mail }) =>
        Object.assign(mail, { destination, timestamp: '2026-11-21T10:30:00.000Z' }),
      );
      expect(event).toMatchObject({
        recipients: ['ada@example.com', 'bob@example.com'],
        at: new Date('2026-11-21T10:30:00.000Z'),
      });
    },
  );

  it('normalizes addresses, and names a reader only when the message had one recipient', () => {
    const many = (event: Fixture) => Object.assign(event.mail, { destination: ['a@example.com', 'b@example.com'] });
    expect(events('aws-sns-Open.json', many)).toMatchObject([{ recipient: null }]);
    const named = (event: Fixture) => Object.assign(event.mail, { destination: ['Ada L. <Ada@Example.COM>'] });
    expect(events('aws-sns-Click.json', named)).toMatchObject([{ recipient: 'ada@example.com' }]);
  });
});
