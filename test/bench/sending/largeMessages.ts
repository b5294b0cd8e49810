import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions, bundleHandler } from '../../../infra/bundle.ts';
import { apiEvent, queueEvent } from '../coldStart/events.ts';
import type { BenchContext, Row, Section } from '../report.ts';
import { type BenchService, startBenchService } from '../service.ts';
import { scaleWorkspace } from './sender.ts';

/** The most that an upload may hold, and what it is in a message: base64 in lines of 76. */
const fileBytes = 29 * 1024 * 1024;
const messageBytes = Math.ceil(fileBytes / 57) * 78;

/** What a new process handles: a small email, and then large ones. */
interface Way {
  readonly name: string;
  readonly entry: string;
  readonly events: readonly object[];
}

interface Round {
  /** What went wrong; null when nothing did. */
  readonly failure: string | null;
  /** Milliseconds of the processor. */
  readonly processor: number;
  /** Bytes resident at the most while it was handled. */
  readonly peak: number;
}

interface Measured {
  readonly name: string;
  /** Bytes resident after the small email. */
  readonly before: number;
  readonly rounds: readonly Round[];
}

/** What the functions that send hold in memory of messages with the largest upload, one after another in one process. */
export async function benchLargeMessages({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-bench-bundles-'));
  try {
    await scaleWorkspace(service);
    const ways = await waysOf(service, quick ? 2 : 4);
    const bundles = await bundleFunctions([...new Set(ways.map(({ entry }) => entry))], folder);
    const measured: Measured[] = [];
    for (const { name, entry, events } of ways) {
      const file = join(bundles.get(entry)?.folder ?? '', `${bundleHandler.split('.')[0]}.mjs`);
      measured.push({ name, ...(await measure(service, file, events)) });
    }
    return { title: 'Large messages', rows: measured.flatMap(rowsOf), figures: { fileBytes, messageBytes, measured } };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function waysOf(service: BenchService, times: number): Promise<Way[]> {
  const attachments = [{ upload_id: await upload(service) }];
  const small = {
    from: 'Acme <hello@example.com>',
    to: ['x@example.net'],
    subject: 'Your catalogue',
    text: 'Attached.',
  };
  const toMany = { to: addresses('to'), bcc: addresses('bcc'), attachments };
  const later = { scheduled_at: new Date(Date.now() + 20 * 86_400_000).toISOString() };
  const send = (more = {}) => apiEvent(service, 'POST', '/api/v1/emails', { ...small, ...more });
  const batch = (entries: object[]) => apiEvent(service, 'POST', '/api/v1/emails/batch', entries);
  const moment = async (more = {}) => {
    const { id, scheduled_at } = await call(service, '/emails', { ...small, ...later, ...more });
    return queueEvent({ kind: 'send', workspace_id: service.dev.workspace_id, email_id: id, scheduled_at });
  };
  const moments = await Promise.all(Array.from({ length: times }, () => moment({ attachments })));
  const again = (event: object) => Array.from({ length: times }, () => event);
  const [single, batched] = ['functions/api/emails/send.ts', 'functions/api/emails/batch.ts'];
  const beside = Array.from({ length: 9 }, () => small);
  return [
    { name: 'to one person', entry: single, events: [send(), ...again(send({ attachments }))] },
    { name: 'to 100 people, two envelopes', entry: single, events: [send(), ...again(send(toMany))] },
    {
      name: 'beside nine others of a batch',
      entry: batched,
      events: [batch([small]), ...again(batch([{ ...small, attachments }, ...beside]))],
    },
    { name: 'that is kept for later', entry: single, events: [send(), ...again(send({ ...later, attachments }))] },
    {
      name: 'whose moment has come',
      entry: 'functions/workers/scheduledEmail.ts',
      events: [await moment(), ...moments],
    },
  ];
}

const addresses = (field: string) => Array.from({ length: 50 }, (_, index) => `large-${field}${index}@example.net`);

async function call({ dev }: BenchService, path: string, body: object) {
  const answer = await fetch(`${dev.base_url}/api/v1${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${dev.api_key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as { id: string; url: string; headers: Record<string, string>; scheduled_at: string };
}

async function upload(service: BenchService): Promise<string> {
  const { id, url, headers } = await call(service, '/uploads', { filename: 'catalogue.pdf', size: fileBytes });
  const { 'content-length': _, ...signed } = headers;
  const written = await fetch(url, { method: 'PUT', headers: signed, body: randomBytes(fileBytes) });
  if (!written.ok) throw new Error(`The upload was answered with ${written.status}.`);
  return id;
}

async function measure(service: BenchService, bundle: string, events: readonly object[]) {
  const eventsFile = `${bundle}.events.json`;
  writeFileSync(eventsFile, JSON.stringify(events));
  const env = { ...process.env, ...service.runtime.environment, POWERTOOLS_LOG_LEVEL: 'SILENT' };
  const child = fork(join(import.meta.dirname, 'residentMemory.mjs'), [bundle, eventsFile], { env });
  const [told] = (await once(child, 'message')) as [Pick<Measured, 'before' | 'rounds'>];
  const failure = told.rounds.find((round) => round.failure !== null)?.failure;
  if (failure) throw new Error(`${bundle}: ${failure}`);
  return told;
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

function rowsOf({ name, before, rounds }: Measured): Row[] {
  const growths = rounds.map(({ peak }) => (peak - before) / messageBytes);
  const most = Math.max(...growths);
  const processor = rounds.map(({ processor: milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  return [
    {
      what: `a message of ${megabytes(messageBytes)} ${name}: resident at the most above the ${megabytes(before)} before`,
      measured: `${growths[0]?.toFixed(2)} times the message; ${most.toFixed(2)} among ${rounds.length} in turn`,
      budget: 'under 2',
      ok: most < 2,
    },
    {
      what: `a message of ${megabytes(messageBytes)} ${name}: processor time`,
      measured: `${processor[Math.floor(processor.length / 2)]?.toFixed(0)} ms`,
    },
  ];
}
