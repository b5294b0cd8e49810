/**
 * A provider that only counts, in a process of its own: it answers SendBulkEmail and GetAccount of SES's API by its
 * rules, and every other operation with an empty answer.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProviderCounts, ProviderRequest, ProviderRules } from './provider.ts';
import type { SentMessage } from './sesEvents.ts';

const everything: ProviderRules = { latencyMilliseconds: 0, perSecond: 100_000, isLimited: false, isPaused: false };

let rules = everything;
let tokens = 0;
let filledAt = performance.now();
let counts = noCounts();
let taken: SentMessage[] = [];
let addresses = new Set<string>();
let next = 0;
let lastCallAt = 0;

function noCounts() {
  return { calls: 0, entries: 0, accepted: 0, throttled: 0, repeated: 0 };
}

/** A token bucket of one second, like SES's. */
function takeToken(): boolean {
  if (!rules.isLimited) return true;
  const now = performance.now();
  tokens = Math.min(rules.perSecond, tokens + ((now - filledAt) / 1000) * rules.perSecond);
  filledAt = now;
  if (tokens < 1) return false;
  tokens -= 1;
  return true;
}

interface Tag {
  readonly Name: string;
  readonly Value: string;
}
interface BulkRequest {
  readonly DefaultEmailTags?: readonly Tag[];
  readonly BulkEmailEntries: readonly {
    readonly Destination: { readonly ToAddresses: readonly string[] };
    readonly ReplacementTags?: readonly Tag[];
  }[];
}

function sendBulk({ DefaultEmailTags = [], BulkEmailEntries }: BulkRequest) {
  counts.calls += 1;
  lastCallAt = performance.now();
  const BulkEmailEntryResults = BulkEmailEntries.map(({ Destination, ReplacementTags = [] }) => {
    counts.entries += 1;
    if (rules.isPaused) return { Status: 'ACCOUNT_SENDING_PAUSED' };
    if (!takeToken()) {
      counts.throttled += 1;
      return { Status: 'ACCOUNT_THROTTLED' };
    }
    const [address = ''] = Destination.ToAddresses;
    if (addresses.has(address)) counts.repeated += 1;
    addresses.add(address);
    counts.accepted += 1;
    const MessageId = `bench-${next++}`;
    const tags = Object.fromEntries([...DefaultEmailTags, ...ReplacementTags].map(({ Name, Value }) => [Name, Value]));
    if (rules.isKept) taken.push({ id: MessageId, address, tags, at: Date.now() });
    return { Status: 'SUCCESS', MessageId };
  });
  return { BulkEmailEntryResults };
}

const account = () => ({
  SendingEnabled: !rules.isPaused,
  ProductionAccessEnabled: true,
  EnforcementStatus: 'HEALTHY',
  SendQuota: { Max24HourSend: -1, MaxSendRate: rules.perSecond, SentLast24Hours: 0 },
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = request.url ?? '';
  const reply = (body: object) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (path === '/v2/email/account') return reply(account());
  await wait(rules.latencyMilliseconds);
  if (path === '/v2/email/outbound-bulk-emails') {
    return reply(sendBulk(JSON.parse(Buffer.concat(chunks).toString('utf8')) as BulkRequest));
  }
  reply({});
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: Error) => {
    console.error(error);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));

process.on('message', (message: ProviderRequest) => {
  if (message.kind === 'rules') {
    rules = { ...everything, ...message.rules };
    tokens = rules.perSecond;
    filledAt = performance.now();
    counts = noCounts();
    taken = [];
    addresses = new Set();
  }
  const withTaken = message.kind === 'taken' ? taken : [];
  process.send?.({ ...counts, lastCallAt, taken: withTaken } satisfies ProviderCounts);
});
process.on('disconnect', () => process.exit(0));
