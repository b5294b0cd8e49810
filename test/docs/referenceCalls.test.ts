import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomUtils } from 'htmlparser2';
import { routes } from '../../shared/contract/routes.ts';
import { type Parameter, type ReferenceDocument, resolved } from '../../shared/pages/reference/internal/document.ts';
import { getReference } from '../../shared/services/apiReference.ts';
import { call } from '../acceptance/client.ts';
import { ownEnvironment } from '../acceptance/environment.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { createWorld, type World } from '../contract/world.ts';
import { installClient } from '../openapi/packedClient.ts';
import { PageDocument } from '../pages/documents.ts';

type Program = 'curl' | 'typescript' | 'python';

const root = join(import.meta.dirname, '..', '..');
const groups = [...new Set(routes.map(({ group }) => group))];
/** What ends something comes last, so that every call has something to be about. */
const order = (id: string) => Number(/\.(delete|cancel|erase)$/.test(id));

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'mailroom-calls-'));
  await installClient(folder);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The calls in one language as the pages print them, by operation. */
async function printed(program: Program): Promise<[string, string][]> {
  const pages = await Promise.all(
    groups.map(async (slug) => new PageDocument(await (await fetch(`${service.baseUrl}/reference/en/${slug}`)).text())),
  );
  const calls = pages.flatMap((page) =>
    page.all('section').map((section): [string, string] => {
      const samples = DomUtils.getElementsByTagName('div', section).filter(
        ({ attribs }) => attribs.class === `sample ${program}`,
      );
      return [section.attribs.id ?? '', DomUtils.textContent(DomUtils.getElementsByTagName('code', samples))];
    }),
  );
  expect(calls.map(([id]) => id).sort()).toEqual(routes.map(({ id }) => id).sort());
  return calls.toSorted(([a], [b]) => order(a) - order(b));
}

/** With what exists in the workspace in place of the identifiers and of the date that the examples show. */
async function about(world: World, calls: readonly [string, string][]): Promise<[string, string][]> {
  const later = new Date(Date.now() + 24 * 3_600_000).toISOString();
  const from = `hello@${world.domain}`;
  const scheduled = await call({ ...service, apiKey: world.apiKey }, 'POST', '/api/v1/emails', {
    body: { from, to: 'ada@example.net', subject: 'Later', text: 'Later', scheduled_at: later },
  });
  const campaigns = await campaignsFor(world);
  const runs = await runsFor(world);
  return calls.map(([id, code]) => {
    const route = routes.find((one) => one.id === id);
    if (!route) throw new Error(`No route is ${id}.`);
    const values = route.path.includes('{') ? world.parametersOf(route) : {};
    const isScheduled = ['emails.update', 'emails.cancel'].includes(id);
    const campaign = campaigns[id];
    const named = {
      ...values,
      ...(isScheduled && { id: String(scheduled.body.id) }),
      ...(campaign && { id: campaign }),
      ...runs[id],
    };
    // Grace is on the suppression list of that workspace.
    let text = code
      .replaceAll('2026-12-01T09:00:00+01:00', later)
      .replaceAll('grace@example.net', 'katherine@example.net');
    // Ada is suppressed by another example.
    if (id === 'automations.runs.start') text = text.replaceAll('ada@example.net', starter);
    const inPath = Object.entries(named).filter(([name]) => route.path.includes(`{${name}}`));
    for (const [name, value] of inPath) text = text.replaceAll(examples(route.path, name), value);
    return [id, text];
  });
}

const starter = 'starts@example.net';

/** An automation that takes people, and an open run of it, for the calls that start and cancel one. */
async function runsFor(world: World): Promise<Readonly<Record<string, Record<string, string>>>> {
  const ask = async (path: string, body: object) => {
    const answer = await call({ ...service, apiKey: world.apiKey }, 'POST', `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  for (const email of ['run@example.net', starter]) await ask('/subscribers', { email, double_opt_in: false });
  const { id } = await ask('/automations', {
    name: 'By hand',
    status: 'enabled',
    reentry: 'always',
    steps: [
      { key: 'start', type: 'trigger', config: { source: 'manual' } },
      { key: 'rest', type: 'delay', config: { duration: '1 day' } },
    ],
    connections: [{ from: 'start', to: 'rest' }],
  });
  const run = await ask(`/automations/${id}/runs`, { email: 'run@example.net' });
  return { 'automations.runs.start': { id }, 'automations.runs.cancel': { id, runId: run.id } };
}

/** A campaign for each call that changes one, in a state that the call is for. */
async function campaignsFor(world: World): Promise<Readonly<Record<string, string>>> {
  const ask = async (path: string, body?: object) => {
    const answer = await call({ ...service, apiKey: world.apiKey }, 'POST', `/api/v1${path}`, {
      ...(body && { body }),
    });
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  for (const name of ['a', 'b', 'c', 'd']) {
    await ask('/subscribers', { email: `${name}@example.net`, double_opt_in: false });
  }
  // While a test waits for its decision, the campaign is being sent.
  const ab_test = { variants: [{}, { subject: 'B' }], test_share: 0.1, decide_by: 'opens', wait_hours: 72 };
  const draft = { subject: 'News', from: `hello@${world.domain}`, text: 'Hello' };
  const made = new Map<string, string>();
  for (const { id: name, method } of routes.filter(({ id }) => /^campaigns\./.test(id))) {
    if (method === 'GET' || name === 'campaigns.create') continue;
    const isSending = /\.(pause|resume|cancel)$/.test(name);
    const { id } = await ask('/campaigns', { ...draft, name, ...(isSending && { ab_test }) });
    if (isSending) await ask(`/campaigns/${id}/send`);
    if (name === 'campaigns.unschedule') {
      const scheduled_at = new Date(Date.now() + 24 * 3_600_000).toISOString();
      await ask(`/campaigns/${id}/schedule`, { scheduled_at });
    }
    made.set(name, String(id));
  }
  return Object.fromEntries(made);
}

let document: Awaited<ReturnType<typeof getReference>>;
beforeAll(async () => {
  Object.assign(process.env, service.environment);
  document = await getReference('en');
});

/** The example that the reference gives for a parameter of a path; an address is the same in every example. */
function examples(path: string, name: string): string {
  const methods = Object.values(
    (document.paths as Record<string, Record<string, { parameters?: unknown[] }>>)[path] ?? {},
  );
  const parameters = (methods[0]?.parameters ?? []).map((one) =>
    resolved<Parameter>(document as unknown as ReferenceDocument, one as Parameter),
  );
  const example = parameters.find((one) => one.name === name)?.schema.examples?.[0] as string | undefined;
  if (!example) throw new Error(`${path} has no example of ${name}.`);
  return example;
}

function run(command: string, parameters: readonly string[], key: string): Promise<string> {
  const env = ownEnvironment({ MAILROOM_API_KEY: key, NO_COLOR: '1' });
  return new Promise((done, failed) => {
    execFile(command, parameters, { cwd: folder, env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      error ? failed(new Error(`${error.message}\n${stdout}\n${stderr}`)) : done(stdout),
    );
  });
}

/** Writes every call to a file of its own and runs them all in one process, which names those that fail. */
async function failures(program: Program, extension: string, command: readonly string[], runner: string) {
  const world = await createWorld(service);
  const calls = await about(world, await printed(program));
  for (const [id, code] of calls) writeFileSync(join(folder, `${id}.${extension}`), code);
  const [name = '', ...options] = command;
  const files = calls.map(([id]) => `${id}.${extension}`);
  const output = await run(name, [...options, runner, ...files], world.apiKey);
  const ended = /^FAILED (.*)$/m.exec(output)?.[1];
  return { failed: JSON.parse(ended ?? 'null') as unknown, count: files.length };
}

/** A process for each call of the API. */
const longMilliseconds = 600_000;

describe('the calls that the reference prints', () => {
  it(
    'work in curl',
    async () => {
      const world = await createWorld(service);
      for (const [id, code] of await about(world, await printed('curl'))) {
        const answer = await run('bash', ['-c', `${code.replace('curl -sS', 'curl -sS -f')}`], world.apiKey);
        expect([id, typeof JSON.parse(answer)]).toEqual([id, 'object']);
      }
    },
    longMilliseconds,
  );

  it('work in TypeScript with the packed client in an empty project, and are typed', async () => {
    const runner = `const failed = {};
for (const file of process.argv.slice(1)) await import(process.cwd() + '/' + file).catch((error) => { failed[file] = String(error); });
console.log('FAILED ' + JSON.stringify(failed));`;
    const node = [join(root, 'node_modules/node/bin/node'), '--input-type=module', '-e'];
    const { failed, count } = await failures('typescript', 'mts', node, runner);
    expect(failed).toEqual({});
    expect(count).toBe(routes.length);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'nodenext',
      types: ['node'],
      typeRoots: [join(root, 'node_modules', '@types')],
      skipLibCheck: true,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }));
    const types = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], '');
    expect(types).toBe('');
  });

  const hasPython = spawnSync('python3', ['--version']).status === 0;
  (hasPython ? it : it.skip)(
    'work in Python',
    async () => {
      const runner = `import json, sys
failed = {}
for file in sys.argv[1:]:
    try:
        exec(compile(open(file, encoding="utf-8").read(), file, "exec"), {})
    except Exception as error:
        failed[file] = f"{error} {error.read().decode() if hasattr(error, 'read') else ''}"
print("FAILED " + json.dumps(failed))`;
      const { failed, count } = await failures('python', 'py', ['python3', '-c'], runner);
      expect(failed).toEqual({});
      expect(count).toBe(routes.length);
    },
    longMilliseconds,
  );
});
