import { randomUUID } from 'node:crypto';
import type { Message } from '@aws-sdk/client-sqs';

/** One message of a campaign, as its events name it. */
export interface SentMessage {
  readonly id: string;
  readonly address: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Unix milliseconds. */
  readonly at: number;
}

type EventKind = 'Send' | 'Delivery' | 'Open' | 'Click';

const agents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
];
const link = 'https://example.com/stories/1';

/** An event as SES publishes it: about 2 kB of JSON, like AWS's samples. */
export function eventOf(kind: EventKind, { id, address, tags, at }: SentMessage, happenedAt: number): string {
  const timestamp = new Date(happenedAt).toISOString();
  const own = Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, [value]]));
  const headers = [
    ['From', 'Bench <hello@example.com>'],
    ['To', address],
    ['Subject', 'News for Ada'],
    ['MIME-Version', '1.0'],
    ['Content-Type', 'multipart/alternative; boundary="----=_Part_123_456.789"'],
    ['List-Unsubscribe', `<https://mail.example.com/unsubscribe/${'x'.repeat(240)}>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    ['List-Id', '<camp-0123456789.example.com>'],
  ].map(([name, value]) => ({ name, value }));
  const mail = {
    timestamp: new Date(at).toISOString(),
    source: 'hello@example.com',
    sourceArn: 'arn:aws:ses:us-east-1:123456789012:identity/example.com',
    sendingAccountId: '123456789012',
    messageId: id,
    destination: [address],
    headersTruncated: false,
    headers,
    commonHeaders: { from: ['hello@example.com'], to: [address], messageId: id, subject: 'News for Ada' },
    tags: {
      ...own,
      'ses:operation': ['SendBulkEmail'],
      'ses:configuration-set': ['mailroom-campaign'],
      'ses:source-ip': ['192.0.2.0'],
      'ses:from-domain': ['example.com'],
      'ses:caller-identity': ['mailroom-campaign'],
    },
  };
  const engagement = { timestamp, ipAddress: '192.0.2.1', userAgent: agents[happenedAt % agents.length] };
  const details = {
    Send: { send: {} },
    Delivery: { delivery: { timestamp, recipients: [address], smtpResponse: '250 ok', processingTimeMillis: 710 } },
    Open: { open: engagement },
    Click: { click: { ...engagement, link, linkTags: null } },
  }[kind];
  return JSON.stringify({ eventType: kind, mail, ...details });
}

export const messageOf = (Body: string): Message => ({
  MessageId: randomUUID(),
  Body,
  Attributes: { ApproximateReceiveCount: '1' },
});
