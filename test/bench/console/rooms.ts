import { setTimeout as sleep } from 'node:timers/promises';
import { operatorContext } from '../../shared/services/context.ts';
import { load, percentiles } from '../load.ts';
import type { BenchContext, Row, Section } from '../report.ts';
import { scaleWorkspace } from '../sending/sender.ts';
import { type BenchService, startBenchService } from '../service.ts';

const number = (value: number) => value.toLocaleString('en');

/** Rooms of the console whose lists grow with the workspace, and the background work that goes through it. */
export async function benchRooms({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService(undefined, { EMAIL_LIST: 'recipient-and-tag' });
  const [people, emails] = quick ? [5_000, 500] : [100_000, 10_000];
  try {
    await scaleWorkspace(service);
    const operator = await signedIn(service);
    const few = await importPeople(service, 200);
    await sendEmails(service, 100);
    const campaign = await beginCampaign(service);
    const small = await measurePages(service, operator, { campaign, rounds: 5 });
    const imported = await importPeople(service, people);
    await sendEmails(service, emails);
    await service.quiet();
    const large = await measurePages(service, operator, { campaign, rounds: quick ? 20 : 60 });
    const work = await measureWork(service, campaign);
    const sizes = `${number(people)} people and ${number(emails)} emails`;
    return {
      title: 'Rooms of the console',
      rows: [
        { what: `import of ${number(people)} lines in the background`, measured: perSecond(imported, people) },
        ...large.map(pageRow(sizes, small)),
        ...work.map(({ what, seconds }) => ({ what: `${what}, ${sizes}`, measured: `${seconds.toFixed(1)} s` })),
      ],
      figures: { few, imported, small, large, work },
    };
  } finally {
    await service.stop().catch(() => {});
  }
}

const perSecond = (seconds: number, lines: number): string =>
  `${seconds.toFixed(1)} s, ${number(Math.round(lines / seconds))} lines a second`;

interface Page {
  readonly path: string;
  readonly p50: number;
  readonly p95: number;
  readonly looks: number;
  readonly readUnits: number;
}

const mostMilliseconds = 60;

const pageRow =
  (sizes: string, small: readonly Page[]) =>
  ({ path, p50, p95, looks, readUnits }: Page): Row => {
    const before = small.find((page) => page.path === path)?.readUnits ?? 0;
    return {
      what: `${path || '/'} with ${sizes}`,
      measured: `p95 ${p95.toFixed(0)} ms, p50 ${p50.toFixed(0)} ms of ${looks}; ${readUnits.toFixed(1)} read units (${before.toFixed(1)} with 200 and 100)`,
      budget: `p95 ${mostMilliseconds} ms`,
      ok: p95 <= mostMilliseconds,
    };
  };

/** A visitor with a session of an owner. */
async function signedIn(service: BenchService): Promise<string> {
  const { createSignIn } = await import('../../../shared/services/operators/signIn.ts');
  const { url } = await createSignIn(operatorContext(), { name: 'bench', role: 'owner', workspaceId: null });
  const link = new URL(url);
  const answer = await fetch(`${service.dev.base_url}${link.pathname}`, {
    method: 'POST',
    body: new URLSearchParams({ token: link.searchParams.get('token') ?? '' }),
    redirect: 'manual',
    headers: { origin: service.dev.base_url },
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const pages = [
  '',
  '?days=90',
  '/emails',
  '/people',
  '/people/import',
  '/segments',
  '/suppression',
  '/webhooks',
  '/settings/keys',
  '/campaigns',
  '/campaigns/{id}',
  '/campaigns/{id}/edit',
  '/campaigns/{id}/check',
  '/campaigns/{id}/audience',
  '/campaigns/{id}/test',
  '/campaigns/{id}/send',
  '/campaigns/{id}/schedule',
  '/campaigns/{id}/preview',
];

/** A draft to everybody. */
async function beginCampaign({ dev }: BenchService): Promise<string> {
  const answer = await fetch(`${dev.base_url}/api/v1/campaigns`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${dev.api_key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'News', subject: 'News', text: 'Hello {{firstName|there}}.' }),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
  return ((await answer.json()) as { id: string }).id;
}

/** The time until an answer's first byte is that until its last here: pages are sent whole. Warm, one at a time. */
async function measurePages(
  service: BenchService,
  cookie: string,
  { campaign, rounds }: { readonly campaign: string; readonly rounds: number },
): Promise<Page[]> {
  const measured: Page[] = [];
  const root = `${service.dev.base_url}/console/${service.dev.workspace_id}`;
  for (const path of pages) {
    const open = async () => {
      const began = performance.now();
      const answer = await fetch(`${root}${path.replace('{id}', campaign)}`, {
        headers: { cookie },
        redirect: 'manual',
      });
      const milliseconds = performance.now() - began;
      await answer.text();
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`);
      return milliseconds;
    };
    for (let round = 0; round < 3; round += 1) await open();
    await service.startMeter();
    await open();
    const { calls } = await service.readMeter();
    const readUnits = calls.reduce((total, call) => total + call.readUnits, 0);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await open());
    const { p50, p95 } = percentiles(times);
    measured.push({ path, p50, p95, looks: rounds, readUnits });
  }
  return measured;
}

let files = 0;

/** By the verbs of the console; the service's own worker does it. Seconds. */
async function importPeople(service: BenchService, count: number): Promise<number> {
  const [{ prepareImport }, { addImportPiece }, { planImport }, { beginImport }, { pieceBytes, piecesOf }] =
    await Promise.all([
      import('../../../shared/services/imports/background/prepare.ts'),
      import('../../../shared/services/imports/background/addPiece.ts'),
      import('../../../shared/services/imports/background/plan.ts'),
      import('../../../shared/services/imports/background/begin.ts'),
      import('../../../shared/domain/job/work.ts'),
    ]);
  files += 1;
  const context = () => operatorContext(service.dev.workspace_id);
  const lines = Array.from({ length: count }, (_, index) => `person.${index}@file${files}.example,Ada,Lovelace,London`);
  const file = Buffer.from(`email,firstName,lastName,city\n${lines.join('\n')}\n`);
  const { id } = await prepareImport(context(), { filename: 'bench.csv', bytes: file.length, suppressAs: null });
  for (let piece = 0; piece < piecesOf(file.length); piece += 1) {
    await addImportPiece(context(), { id, piece, bytes: file.subarray(piece * pieceBytes, (piece + 1) * pieceBytes) });
  }
  const columns = [
    { kind: 'email' },
    { kind: 'firstName' },
    { kind: 'lastName' },
    { kind: 'field', name: 'city' },
  ] as const;
  const { revision } = await planImport(context(), { id, columns, consentGiven: true, suppressAs: null });
  const began = performance.now();
  await beginImport(context(), { id, seen: revision });
  await ended(service, id);
  return (performance.now() - began) / 1000;
}

async function ended(service: BenchService, id: string): Promise<void> {
  const { getJob } = await import('../../../shared/store/job/jobs.ts');
  for (;;) {
    const job = await getJob(service.dev.workspace_id, id);
    if (job?.state === 'done') return;
    if (job?.state !== 'running') throw new Error(`The job is ${job?.state}: ${job?.failure}`);
    await sleep(100);
  }
}

async function sendEmails(service: BenchService, total: number): Promise<void> {
  const headers = { Authorization: `Bearer ${service.dev.api_key}`, 'Content-Type': 'application/json' };
  const result = await load({ clients: 10, total, expect: 202 }, (index) => ({
    method: 'POST',
    url: `${service.dev.base_url}/api/v1/emails`,
    headers,
    body: JSON.stringify({
      from: 'Acme <hello@example.com>',
      to: `person.${index}@file2.example`,
      subject: 'Your receipt',
      text: 'Thank you.',
    }),
  }));
  if (result.failures > 0) throw new Error(`${result.failures} emails were refused.`);
}

/** What goes through everything, from its beginning to its end. */
async function measureWork(service: BenchService, campaign: string) {
  const [{ startExport }, { startPersonExport, startErasure }, { previewSegment }, { dryRunOf }] = await Promise.all([
    import('../../../shared/services/exports/start.ts'),
    import('../../../shared/services/rights/start.ts'),
    import('../../../shared/services/segments/preview.ts'),
    import('../../../shared/services/campaigns/operator/preflight.ts'),
  ]);
  const context = () => operatorContext(service.dev.workspace_id);
  const email = 'person.1@file2.example';
  const timed = async (what: string, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    return { what, seconds: (performance.now() - began) / 1000 };
  };
  const job = (start: () => Promise<{ readonly id: string }>) => async () => ended(service, (await start()).id);
  return [
    await timed('count of everybody whom a campaign would reach, which its pages ask for once they are shown', () =>
      dryRunOf(context(), campaign),
    ),
    await timed('count and sample of a segment by a field', () =>
      previewSegment(context(), { rule: { field: 'city', operator: 'equals', value: 'London' } }),
    ),
    await timed(
      'export of everybody as CSV',
      job(() => startExport(context(), { format: 'csv' })),
    ),
    await timed(
      'export of what is held about one person',
      job(() => startPersonExport(context(), { email })),
    ),
    await timed(
      'erasure of one person',
      job(() => startErasure(context(), { email })),
    ),
  ];
}
