import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService, type TestService } from '../service.ts';

/**
 * The protocol's own conformance suite. It sends no key: a proxy in front of the service adds one. Most scenarios need
 * tools, resources and prompts that only the suite's example server has (`test_simple_text`). A check that fails for lack
 * of them is ignored; any other failure counts.
 */
const suite = join('node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const node = join('node_modules', 'node', 'bin', 'node');

/** Scenarios that need nothing of the suite's example server: these must pass completely. */
const applicable = {
  '2025-11-25': [
    'server-initialize',
    'server-session-lifecycle',
    'ping',
    'tools-list',
    'server-sse-polling',
    'server-sse-multiple-streams',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'sep-2164-resource-not-found',
    'prompts-list',
    'dns-rebinding-protection',
    'caching',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'input-required-result-missing-input-response',
    'input-required-result-ignore-extra-params',
    'input-required-result-validate-input',
  ],
} as const;
type Revision = keyof typeof applicable;

/** The messages of checks that lacked a fixture of the suite, or a part of the protocol that we do not offer. */
const notHere = [
  /^(Failed: |JSON-RPC error: )?(MCP error -?\d+: )?(Unknown (tool|prompt): test_)/,
  /^Tool 'json_schema_2020_12_tool' not found/,
  /Resource (not found: )?.*test:\/\//,
  /^Not testable: server (does not list|exposes no tool|lists no)/,
  /^(Failed: |JSON-RPC error: )?(MCP error -32601: )?Method not found/,
  // Elicitation: it needs a tool of the suite that asks the user.
  /InputRequiredResult with/,
];

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

let service: TestService;
let door: Server;
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'mailroom-conformance-'));
  door = createServer((incoming, outgoing) => {
    const { hostname, port } = new URL(service.baseUrl);
    const headers = { ...incoming.headers, authorization: `Bearer ${service.apiKey}` };
    const onward = request({ hostname, port, method: incoming.method, path: incoming.url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.once('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  door.closeAllConnections();
  door.close();
  rmSync(folder, { recursive: true, force: true });
  await service.stop();
});

/** Every check of every scenario of a revision, by scenario. */
async function run(revision: Revision): Promise<Map<string, Check[]>> {
  const { port } = door.address() as AddressInfo;
  const output = join(folder, revision);
  const words = ['server', '--url', `http://127.0.0.1:${port}/api/mcp`, '--suite', 'all', '--spec-version', revision];
  const child = spawn(node, [suite, ...words, '-o', output], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('exit', resolve));
  const found = new Map<string, Check[]>();
  for (const file of globSync('**/checks.json', { cwd: output })) {
    const scenario = /server-(.*?)-\d{4}-\d{2}-\d{2}T/.exec(file)?.[1] ?? file;
    found.set(scenario, JSON.parse(readFileSync(join(output, file), 'utf8')) as Check[]);
  }
  return found;
}

describe.each(Object.keys(applicable) as Revision[])('the conformance suite, for %s', (revision) => {
  it('passes', async () => {
    const checks = await run(revision);
    const failed = (scenario: string) => (checks.get(scenario) ?? []).filter(({ status }) => status === 'FAILURE');
    expect([...checks.keys()]).toEqual(expect.arrayContaining([...applicable[revision]]));
    expect(applicable[revision].flatMap(failed)).toEqual([]);
    const wrong = [...checks.keys()].flatMap((scenario) =>
      failed(scenario)
        .filter(({ errorMessage = '' }) => !notHere.some((pattern) => pattern.test(errorMessage)))
        .map(({ id, errorMessage }) => ({ scenario, id, errorMessage })),
    );
    expect(wrong).toEqual([]);
  });
});
