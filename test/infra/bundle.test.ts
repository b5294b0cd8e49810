import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { BundledFunction } from '../../infra/bundle.ts';
import { endpoints, entries, fallback, workerEntry } from '../../infra/endpoints.ts';
import { type QueueDefinition, queues, type RuleDefinition, rules } from '../../infra/resources.ts';
import { parseSettings, settingVariables } from '../../infra/settings.ts';
import { mcpEndpoint } from '../../shared/contract/endpoints.ts';
import { catalogIn } from '../../shared/documentation/catalog/catalog.ts';
import { createApiKey } from '../../shared/domain/token.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { type BundledCall, callBundles, importBundles, logOfBundle } from './bundledCalls.ts';
import { allBundles } from './bundles.ts';

type WorkerDefinition = QueueDefinition | RuleDefinition;

let bundles: ReadonlyMap<string, BundledFunction>;

beforeAll(async () => {
  bundles = await allBundles();
});

function bundleOf(entry: string): BundledFunction {
  const bundle = bundles.get(entry);
  if (!bundle) throw new Error(`${entry} was not bundled.`);
  return bundle;
}

/** Functions that compose mail, the MCP server with the protocol's own package, and the console with all its sections. */
const large: Readonly<Record<string, number>> = {
  // Those that read or show what is written of a campaign have the parser of its HTML, 44 kB.
  ...Object.fromEntries(
    ['create', 'update', 'pause', 'resume', 'cancel'].map((name) => [`functions/api/campaigns/${name}.ts`, 600_000]),
  ),
  // Definitions are read by one parser, and what a run does is decided by one function.
  ...Object.fromEntries(
    [
      ...['create', 'update', 'stop', 'duplicate', 'delete', 'listRuns', 'startRun', 'cancelRun'],
      ...['simulateDefinition', 'simulate'],
    ].map((name) => [`functions/api/automations/${name}.ts`, 620_000]),
  ),
  // It sends, changes people, calls webhooks and evaluates who enters a segment.
  'functions/workers/automation.ts': 810_000,
  'functions/workers/sweep.ts': 580_000,
  'functions/workers/campaign.ts': 600_000,
  'functions/workers/campaignStart.ts': 600_000,
  // Its dry run shows what the message may be refused for.
  'functions/api/campaigns/send.ts': 680_000,
  'functions/api/campaigns/schedule.ts': 700_000,
  'functions/api/campaigns/test.ts': 800_000,
  'functions/api/campaigns/unschedule.ts': 600_000,
  'functions/api/emails/batch.ts': 710_000,
  'functions/api/emails/send.ts': 700_000,
  'functions/workers/dueMail.ts': 700_000,
  // Its exports and erasures know every kind of record, its imports send as `POST /subscribers` does, and it copies emails.
  'functions/workers/job.ts': 650_000,
  // It knows every route, to tell an unknown path from a wrong method, and grows with each.
  'functions/api/fallback.ts': 790_000,
  [mcpEndpoint.function.entry]: 730_000,
  'functions/console/console.ts': 1_820_000,
};
const maxBytes = (entry: string): number => large[entry] ?? 560_000;

describe('a bundle', () => {
  it.each(entries)('is at most 560 kB, or what the table of large ones allows: %s', (entry) => {
    expect(bundleOf(entry).bytes).toBeGreaterThan(0);
    expect(bundleOf(entry).bytes).toBeLessThanOrEqual(maxBytes(entry));
  });

  it('is one file that loads without any other', async () => {
    const folders = entries.map((entry) => bundleOf(entry).folder);
    for (const path of folders) expect(await readdir(path)).toEqual(['index.mjs', 'index.mjs.map']);
    expect(await importBundles(folders)).toEqual(entries.map(() => 'function'));
  });

  it('does not depend on its folder: a source map names files from the root of the project', async () => {
    for (const entry of entries) {
      const { sources } = JSON.parse(await readFile(join(bundleOf(entry).folder, 'index.mjs.map'), 'utf8'));
      expect(sources.filter((file: string) => !/^(node_modules|shared|functions|infra|openapi)\//.test(file))).toEqual(
        [],
      );
    }
  });

  it('leaves out what never runs in Lambda', () => {
    const modules = new Set(entries.flatMap((entry) => bundleOf(entry).modules));
    const unwanted = /nested-clients|credential-provider-(node|sso|ini|process|login)|\/ajv/;
    expect([...modules].filter((file) => unwanted.test(file))).toEqual([]);
    const schedules = entries.filter((entry) => bundleOf(entry).modules.some((file) => /queue\/scheduler/.test(file)));
    expect(schedules).toEqual([
      'functions/api/campaigns/schedule.ts',
      'functions/api/campaigns/unschedule.ts',
      'functions/console/console.ts',
      'functions/workers/webhookDelivery.ts',
      'functions/workers/webhookDeliveryBulk.ts',
    ]);
  });

  it('that composes mail leaves out nodemailer’s table of media types', async () => {
    const table = await readFile('node_modules/nodemailer/dist/esm/mime-funcs/mime-types.js', 'utf8');
    expect(table).toContain('application/applixware');
    expect(await codeOf('functions/api/emails/send.ts')).not.toContain('application/applixware');
  });

  it('holds the operations of the table that its code calls, and no paginator of the document client with others', async () => {
    expect(await codeOf('functions/workers/job.ts')).toContain('"Scan"');
    expect(await codeOf('functions/api/emails/send.ts')).not.toContain('"Scan"');
  });

  it.each(entries)('has a source map of our own lines, which is smaller than the bundle: %s', async (entry) => {
    const map = await readFile(join(bundleOf(entry).folder, 'index.mjs.map'), 'utf8');
    expect(map.length).toBeLessThan(bundleOf(entry).bytes);
  });

  it.each(entries)('requires `node:http`, since an import of it would load all of undici: %s', async (entry) => {
    expect(await codeOf(entry)).not.toMatch(/from\s*"(node:)?http"/);
  });
});

const codeOf = (entry: string): Promise<string> => readFile(join(bundleOf(entry).folder, 'index.mjs'), 'utf8');

describe('files for browsers', () => {
  const publicUrl = 'https://mail.example.com';
  const environment = { PUBLIC_URL: publicUrl, REQUESTS_PER_MINUTE: '1000' };
  const headers = { Host: new URL(publicUrl).host };
  const textOf = (path: string) => readFile(path, 'utf8');

  it('are served by the bundle of the console as they are in the sources', async () => {
    Object.assign(process.env, environment);
    const { assetPath } = await import('../../shared/console/assets.ts');
    const folder = 'shared/console/browser';
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
    const calls = names.map((name) => ({
      folder: bundleOf('functions/console/console.ts').folder,
      method: 'GET',
      path: assetPath(name),
      headers,
    }));
    const answers = await callBundles(calls, environment);
    expect(names.length).toBeGreaterThan(20);
    for (const [index, name] of names.entries()) {
      expect([name, answers[index]?.statusCode, answers[index]?.body]).toEqual([
        name,
        200,
        await textOf(join(folder, name)),
      ]);
    }
  });

  it('stand in the bundled pages as they are in the sources', async () => {
    const pages = ['functions/pages/start.ts', 'functions/pages/reference.ts'].map((entry) => ({
      folder: bundleOf(entry).folder,
      method: 'GET',
      path: '/reference/en',
      headers,
      pathParameters: { language: 'en' },
    }));
    const [start, reference] = await callBundles(pages, environment);
    expect(start?.body).toContain(`<style>${await textOf('shared/pages/browser/page.css')}</style>`);
    for (const [element, name] of [
      ['style', 'reference.css'],
      ['script', 'reference.js'],
    ]) {
      const text = await textOf(`shared/pages/reference/internal/browser/${name}`);
      expect(reference?.body).toContain(`<${element}>${text}</${element}>`);
    }
  });
});

describe('the log of a bundled handler that fails', () => {
  it('names source lines, and has the request on every line', async () => {
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
  // An icon and a report about a page depend on no setting.
  it.each(endpoints.filter(({ id }) => !['pages.icon', 'pages.policyReport'].includes(id)))(
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
    const names = Object.keys(settingVariables(parseSettings({}), 'https://mail.example.com'));
    const read = [...code.matchAll(new RegExp(`\\(["'\`](${names.join('|')})["'\`]\\)`, 'g'))];
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

  it('send, read, list and refuse like their sources', async () => {
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
        call('mcp.server', {
          headers: { ...agentHeaders, 'Accept-Language': 'fr' },
          body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
        }),
      ],
      service.environment,
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 200, 201, 200, 404, 200, 200]);
    expect(JSON.parse(answers[5]?.body ?? '').result.structuredContent.object).toBe('account');
    const { tools: all, toolsets } = catalogIn('fr');
    const asked = new Set(Object.values(toolsets).flat());
    const usual = all.filter(({ name }) => !asked.has(name));
    expect(JSON.parse(answers[6]?.body ?? '').result.tools).toEqual(JSON.parse(JSON.stringify(usual)));
    expect(JSON.parse(answers[0]?.body ?? '')).toMatchObject({ object: 'email', subject: message.subject });
    expect(JSON.parse(answers[3]?.body ?? '').data).toEqual([expect.objectContaining({ email: 'new@example.net' })]);
  });
});
