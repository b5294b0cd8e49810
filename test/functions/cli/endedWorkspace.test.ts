import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { createProgram } from '../../../functions/cli/program.ts';
import { consolePages } from '../../../shared/console/pages.ts';
import { draft, follow, importPeople, send } from '../../acceptance/campaigns/campaign.ts';
import { call } from '../../acceptance/client.ts';
import { countsOf, setFaults } from '../../acceptance/inbox.ts';
import { startService, type TestService } from '../../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../../acceptance/workspace.ts';
import { visitorOf } from '../../console/visitor.ts';
import { startCommands } from './mailroom.ts';

let service: TestService;
let workspace: TestWorkspace;
let formUrl: string;
let waiting: string[];
const commands = startCommands();
const run = (...words: string[]) => commands.run([...words, '--data', service.dataDir]);
const json = (...words: string[]) => commands.json([...words, '--data', service.dataDir]);
const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;
const api = () => ({ ...service, apiKey: workspace.apiKey });

interface Leaf {
  readonly words: readonly string[];
  readonly command: Command;
}

/** Every command that has a workspace. */
function leaves(command: Command, words: readonly string[] = []): Leaf[] {
  if (command.commands.length > 0) return command.commands.flatMap((one) => leaves(one, [...words, one.name()]));
  return command.options.some(({ long }) => long === '--workspace') ? [{ words, command }] : [];
}

/** What the words in angle brackets stand for; text where nothing is said. */
const samples: Readonly<Record<string, string>> = {
  address: 'ada@people.example',
  email: 'grace@people.example',
  mailbox: 'hello@example.com',
  tag: 'category:news',
  origin: 'https://www.example.com',
  rule: '{"tag":"vip"}',
  list: 'all',
  time: '2027-01-01T10:00:00Z',
  role: 'viewer',
  count: '3',
};
/** Options without which a command does nothing. */
const extras: Readonly<Record<string, readonly string[]>> = {
  'tracking set': ['--opens', 'off'],
  'form set': ['--text', 'News'],
  'brand set': ['--color', '#123456'],
  'segment edit': ['--name', 'New'],
  'subscriber import': ['--consent-given'],
  'suppression import': ['--reason', 'manual'],
};

function wordsOf({ words, command }: Leaf): string[] {
  const isAutomation = words[0] === 'automation';
  const sampleOf = (name: string) => {
    if (name === 'file') return isAutomation ? definition : file;
    return samples[name] ?? 'text';
  };
  const given = command.registeredArguments.flatMap((one) =>
    one.required ? [one.argChoices?.[0] ?? sampleOf(one.name())] : [],
  );
  const options = command.options.flatMap(({ mandatory, long, flags, argChoices }) =>
    mandatory && long ? [long, argChoices?.[0] ?? sampleOf(/<([^>]+)>/.exec(flags)?.[1] ?? '')] : [],
  );
  return [...words, ...given, ...options, ...more(words.join(' ')), '--workspace', workspace.workspaceId];
}

const more = (command: string): readonly string[] =>
  command === 'automation simulate' ? ['--definition', definition] : (extras[command] ?? []);

let file: string;
/** A file with an automation. */
const definition = join(import.meta.dirname, '..', '..', '..', 'docs', 'recipes', 'cart.json');

beforeAll(async () => {
  service = await startService({ env: { CAMPAIGN_LOOK_AGAIN_SECONDS: '1' } });
  file = join(service.dataDir, 'file.json');
  writeFileSync(file, '{"name":"News","subject":"S","text":"T"}');
  workspace = await newWorkspace(service);
  const { public_id: publicId } = await json('workspace', 'show', workspace.workspaceId);
  formUrl = `${service.baseUrl}/join/${publicId}`;
  waiting = [someone(), someone(), someone()];
  const [campaignReader, scheduled, pending] = waiting as [string, string, string];
  await importPeople(service, workspace.workspaceId, [campaignReader]);
  await setFaults(service, { sending_paused: true });
  const at = new Date(Date.now() + 90_000).toISOString();
  const email = { from: `hello@${workspace.domain}`, to: scheduled, subject: 'S', text: 'T', scheduled_at: at };
  expect((await call(api(), 'POST', '/api/v1/emails', { body: email })).status).toBe(202);
  expect((await call(api(), 'POST', '/api/v1/subscribers', { body: { email: pending } })).status).toBe(201);
  const id = await draft(api());
  expect((await send(api(), id)).status).toBe(202);
  await follow(api(), id, ({ progress }) => progress.paused, 60);
  await json('workspace', 'delete', workspace.workspaceId, '--name', 'Test');
  await setFaults(service);
});
afterAll(async () => {
  commands.stop();
  await service.stop();
});

describe('a workspace that is being deleted', () => {
  it('is closed for every command but "workspace show"', async () => {
    const all = leaves(await createProgram([]));
    expect(all.length).toBeGreaterThan(60);
    const open: string[] = [];
    for (const leaf of all) {
      const { code, stderr, stdout } = await run(...wordsOf(leaf));
      const isClosed = code !== 0 && stderr.includes('is being deleted');
      if (!isClosed) open.push(`${leaf.words.join(' ')}: ${code} ${stderr || stdout}`);
    }
    expect(open.filter((line) => !line.startsWith('workspace show: 0'))).toEqual([]);
    expect(open.length).toBe(1);
  });

  it('is shown as what it is, is not chosen, and its deletion may be asked for again', async () => {
    const id = workspace.workspaceId;
    expect(await json('workspace', 'show', id)).toMatchObject({ sending: { suspended: true }, deletion: {} });
    const { data } = await json('workspace', 'list');
    expect(data).toContainEqual({ object: 'workspace', id, name: 'Test', deleting: true });
    expect((await run('use', id)).stderr).toContain('is being deleted');
    expect(await json('workspace', 'delete', id, '--name', 'Test')).toMatchObject({ deleting: true });
  });

  it('has no page in the console', async () => {
    const owner = await visitorOf(service);
    const formToken = await owner.formToken('/console?all');
    expect((await owner.get('/console?all')).text).not.toContain(workspace.workspaceId);
    for (const { method, path } of consolePages) {
      const url = `/console/${workspace.workspaceId}${path.replaceAll(/\{\w+\}/g, 'x')}`;
      const answer = await (method === 'GET' ? owner.get(url) : owner.post(url, { form_token: formToken }));
      expect([method, path, answer.status]).toEqual([method, path, 409]);
      expect(answer.text).toContain('being deleted');
    }
  });

  it('has no key, no form, and sends nothing that was under way', async () => {
    // After a minute the sweeper deletes the key as well.
    const { name } = (await call(api(), 'GET', '/api/v1/me')).body;
    expect(['revoked_api_key', 'invalid_api_key']).toContain(name);
    expect((await fetch(formUrl)).status).toBe(404);
    const signUp = await fetch(formUrl, { method: 'POST', body: new URLSearchParams({ email: someone() }) });
    expect(signUp.status).toBe(404);
    await new Promise((resolve) => setTimeout(resolve, 4000));
    expect(await countsOf(service, waiting)).toEqual([0, 0, 0]);
  });
});
