import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BundledFunction, bundleFunctions } from '../../infra/bundle.ts';
import { endpoints, entries, fallback, workerEntry } from '../../infra/endpoints.ts';
import { type QueueDefinition, queues, type RuleDefinition, rules } from '../../infra/resources.ts';
import { mcpEndpoint } from '../../shared/contract/mcp.ts';
import { createApiKey } from '../../shared/domain/token/apiKey.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { type BundledCall, callBundles, importBundles, logOfBundle } from './bundledCalls.ts';

type WorkerDefinition = QueueDefinition | RuleDefinition;

let folder: string;
let bundles: ReadonlyMap<string, BundledFunction>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mailroom-bundle-'));
  bundles = await bundleFunctions(entries, folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function bundleOf(entry: string): BundledFunction {
  const bundle = bundles.get(entry);
  if (!bundle) throw new Error(`${entry} was not bundled.`);
  return bundle;
}

/** The MCP server carries the protocol's own package, and knows no schema of the contract; the console is all rooms. */
const large: Readonly<Record<string, number>> = {
  [mcpEndpoint.function.entry]: 700_000,
  'functions/console/door.ts': 1_200_000,
};
const mostBytes = (entry: string): number => large[entry] ?? 500_000;

describe('a bundle', () => {
  it.each(entries)('is at most 500 kB, that of MCP 700, that of the console 1.2 MB: %s', (entry) => {
    expect(bundleOf(entry).bytes).toBeGreaterThan(0);
    expect(bundleOf(entry).bytes).toBeLessThanOrEqual(mostBytes(entry));
  });

  it('is one file, and no other is needed to load it', async () => {
    const folders = entries.map((entry) => bundleOf(entry).folder);
    for (const path of folders) expect(await readdir(path)).toEqual(['index.mjs', 'index.mjs.map']);
    expect(await importBundles(folders)).toEqual(entries.map(() => 'function'));
  });

  it('is the same wherever it is made: a map names files from the root of the project', async () => {
    for (const entry of entries) {
      const { sources } = JSON.parse(await readFile(join(bundleOf(entry).folder, 'index.mjs.map'), 'utf8'));
      expect(sources.filter((file: string) => !/^(node_modules|shared|functions|infra|openapi)\//.test(file))).toEqual(
        [],
      );
    }
  });

  it('leaves out what never runs in Lambda', () => {
    const modules = new Set(entries.flatMap((entry) => bundleOf(entry).modules));
    const unwanted =
      /nested-clients|client-(scheduler|secrets-manager)|credential-provider-(sso|ini|process|login)|EventStreamSerde|fetch\/cookies/;
    expect([...modules].filter((file) => unwanted.test(file))).toEqual([]);
    const schedules = entries.filter((entry) => bundleOf(entry).modules.some((file) => /queue\/scheduler/.test(file)));
    expect(schedules).toEqual([
      'functions/console/door.ts',
      'functions/workers/webhookDelivery.ts',
      'functions/workers/webhookDeliveryBulk.ts',
    ]);
  });

  it('holds only those operations of SES that it calls', async () => {
    const code = await readFile(join(bundleOf('functions/api/emails/send.ts').folder, 'index.mjs'), 'utf8');
    expect(code).toContain('/v2/email/outbound-emails');
    expect(code.match(/"\/v2\/email\/[^"]*"/g)).toEqual(['"/v2/email/outbound-emails"']);
  });
});

describe('the log of a bundled handler that fails', () => {
  it('names source lines, and the call on every line', async () => {
    const { id, method, path, function: built } = endpoints.find(({ id }) => id === 'account.get') ?? fallback;
    const log = await logOfBundle({ folder: bundleOf(built.entry).folder, method, path, apiKey: createApiKey() }, {});
    expect(log).toHaveLength(2);
    for (const line of log) {
      expect(line).toMatchObject({ route: id, request_id: expect.any(String), function_request_id: 'function-1' });
    }
    const failed = log.find(({ level }) => level === 'ERROR') as { error: { message: string; stack: string } };
    expect(failed.error.message).toBe('The environment variable TABLE_NAME is not set.');
    const [, file, row] = failed.error.stack.match(/^\s*at (.*?):(\d+):\d+$/m) as RegExpMatchArray;
    expect(file).toBe('shared/platform/config.ts');
    const line = (await readFile('shared/platform/config.ts', 'utf8')).split('\n')[Number(row) - 1];
    expect(line).toContain('throw new Error(`The environment variable');
  });
});

describe('an endpoint', () => {
  it.each(endpoints.filter(({ id }) => id !== 'pages.icon'))(
    'takes the settings that each call brings: $id',
    async ({ function: { entry } }) => {
      const code = await readFile(join(bundleOf(entry).folder, 'index.mjs'), 'utf8');
      expect(code).toContain('.stageVariables)');
    },
  );
});

describe('a worker', () => {
  const workers = [...Object.values(queues), ...Object.values(rules)].map((definition): WorkerDefinition => definition);

  it.each(workers)('declares the settings that its code reads: $name', async ({ worker, settings = [] }) => {
    const code = await readFile(join(bundleOf(workerEntry(worker)).folder, 'index.mjs'), 'utf8');
    const read = [...code.matchAll(/\(["'`](PUBLIC_URL|REQUESTS_PER_MINUTE|EMAIL_RETENTION_DAYS|EMAIL_LIST)["'`]\)/g)];
    expect([...new Set(read.map(([, name]) => name))].sort()).toEqual([...settings].sort());
  });
});

describe('bundled handlers, against the local engines', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const call = (
    id: string,
    details: Pick<BundledCall, 'pathParameters' | 'body' | 'headers'> & { path?: string } = {},
  ) => {
    const endpoint = [...endpoints, fallback].find((candidate) => candidate.id === id);
    if (!endpoint) throw new Error(`There is no endpoint ${id}.`);
    const { folder } = bundleOf(endpoint.function.entry);
    return { folder, method: endpoint.method, path: endpoint.path, apiKey: service.apiKey, ...details };
  };

  const agentHeaders = { Host: '127.0.0.1', Accept: 'application/json, text/event-stream' };
  const message = {
    from: 'Élodie <hello@example.com>',
    to: ['ada@example.net', 'Grace Hopper <grace@example.net>'],
    subject: 'Votre reçu n° 7',
    text: 'Merci.',
    html: '<p>Merci. <a href="https://example.com">Voir</a></p>',
    attachments: [{ filename: 'reçu.pdf', content: Buffer.from('%PDF-1.4').toString('base64') }],
  };

  it('send, read, list and refuse as their sources do', async () => {
    const answers = await callBundles(
      [
        call('emails.send', { body: message }),
        call('account.get'),
        call('subscribers.upsert', { body: { email: 'new@example.net', double_opt_in: false } }),
        call('subscribers.list'),
        call('fallback', { path: '/api/v1/nothing' }),
        call('mcp.server', {
          headers: agentHeaders,
          body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account' } },
        }),
      ],
      service.environment,
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 200, 201, 200, 404, 200]);
    expect(JSON.parse(answers[5]?.body ?? '').result.structuredContent.object).toBe('account');
    expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ object: 'email', subject: message.subject });
    expect(JSON.parse(answers[3]?.body ?? '').data).toEqual([expect.objectContaining({ email: 'new@example.net' })]);
  });
});
