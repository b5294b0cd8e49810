import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call } from '../../acceptance/client.ts';
import { sharedService, type TestService } from '../../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../../acceptance/workspace.ts';
import { mailroom, startCommands } from './mailroom.ts';

/** See test/fixtures/exports/SOURCES.md. */
const exported = (name: string) =>
  readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'exports', `${name}.csv`), 'utf8');

let service: TestService;
const commands = startCommands();
afterAll(() => commands.stop());
let workspace: TestWorkspace;
let folder: string;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  workspace = await newWorkspace(service);
  folder = mkdtempSync(join(tmpdir(), 'mailroom-migration-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, 'export.csv');
  writeFileSync(path, text);
  return path;
}

const place = () => ['--data', service.dataDir, '--workspace', workspace.workspaceId];
const bring = (text: string, ...options: string[]) =>
  commands.json(['subscriber', 'import', file(text), '--consent-given', ...options, ...place()]);
const api = async (path: string) =>
  (await call({ ...service, apiKey: workspace.apiKey }, 'GET', `/api/v1${path}`)).body;
const person = (name: string) => api(`/subscribers/${name}@example.net`);
const reasonOf = async (name: string) => (await api(`/suppression?email=${name}@example.net`)).data[0]?.reason ?? null;

/** The export with its lines repeated up to a hundred, each with another address. */
function hundred(text: string): string {
  const [header, ...lines] = text.trimEnd().split('\n');
  const all = Array.from({ length: 100 }, (_, index) =>
    (lines[index % lines.length] ?? '').replace(/(\w+)@example\.net/, `$1${index}@example.net`),
  );
  return `${[header, ...all].join('\r\n')}\r\n`;
}

describe('subscriber import of the exports of other services', () => {
  it('reads the three files of Mailchimp, with their tags and fields', async () => {
    expect(await bring(exported('mailchimp-subscribed'))).toMatchObject({ added: 3, suppressed: 0, refused: 0 });
    expect(await person('ada')).toMatchObject({
      status: 'subscribed',
      firstName: 'Ada',
      lastName: 'Lovelace',
      tags: ['VIP', 'News, monthly'],
      fields: { Phone_Number: '+442071234567', Birthday: '12/10', Address: expect.stringContaining('London') },
    });
    expect(await person('grace')).toMatchObject({ tags: ['News, monthly'], fields: {} });
    expect(await bring(exported('mailchimp-unsubscribed'))).toMatchObject({ added: 0, suppressed: 2, refused: 0 });
    expect(await bring(exported('mailchimp-cleaned'))).toMatchObject({ added: 0, suppressed: 1, refused: 0 });
    expect([await reasonOf('left'), await reasonOf('gone'), await reasonOf('dead')]).toEqual([
      'unsubscribe',
      'unsubscribe',
      'bounce',
    ]);
    expect((await person('left')).name).toBe('not_found');
  });

  it('reads an export of listmonk: split names, attributes as fields, and blocklisted people as suppressed', async () => {
    expect(await bring(exported('listmonk'))).toMatchObject({ added: 2, suppressed: 2, refused: 0 });
    expect(await person('ada')).toMatchObject({
      firstName: 'Ada',
      lastName: 'Lovelace',
      fields: { city: 'London', age: 36, member: true, likes: '["engines"]' },
    });
    expect(await person('vincent')).toMatchObject({ firstName: 'Vincent', lastName: 'van Gogh' });
    expect([await reasonOf('left'), await reasonOf('off')]).toEqual(['unsubscribe', 'manual']);
  });

  it('reads the contacts of Resend', async () => {
    expect(await bring(exported('resend'))).toMatchObject({ added: 2, suppressed: 1, refused: 0 });
    expect(await person('ada')).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace', fields: {} });
    expect(await reasonOf('left')).toBe('unsubscribe');
  });

  it.each(['mailchimp-subscribed', 'mailchimp-unsubscribed', 'mailchimp-cleaned', 'listmonk', 'resend'])(
    'reads a hundred lines of %s without changes',
    async (name) => {
      const { lines, added, suppressed, refused } = await bring(hundred(exported(name)));
      expect([lines, added + suppressed, refused]).toEqual([100, 100, 0]);
    },
  );

  it('unsubscribes a subscriber who has left there, and emits the event', async () => {
    await bring('email\nleft@example.net\n');
    await bring('email,status\nleft@example.net,unsubscribed\n');
    expect((await person('left')).status).toBe('unsubscribed');
  });

  it('has exit code 0 only when something was imported', async () => {
    const run = (text: string) => mailroom(['subscriber', 'import', file(text), '--consent-given', ...place()]);
    expect((await run('email\n')).code).toBe(1);
    expect((await run('email\nnobody\n')).code).toBe(1);
    expect((await run('email\nnobody\nada@example.net\n')).code).toBe(0);
  });
});

describe('suppression import', () => {
  const block = (text: string, ...options: string[]) =>
    commands.json(['suppression', 'import', file(text), ...options, ...place()]);

  it('suppresses the addresses of a file for their reasons, and adds no subscriber', async () => {
    const text = 'email,reason\nleft@example.net,unsubscribe\ndead@example.net,bounce\nada@example.net,\nnobody,\n';
    expect(await block(text, '--reason', 'complaint')).toMatchObject({ added: 0, suppressed: 3, refused: 1 });
    expect([await reasonOf('left'), await reasonOf('dead'), await reasonOf('ada')]).toEqual([
      'unsubscribe',
      'bounce',
      'complaint',
    ]);
    expect((await api('/subscribers')).data).toEqual([]);
  });

  it('reads exports of other services, and does not suppress people who are subscribed there', async () => {
    expect(await block(exported('mailchimp-cleaned'))).toMatchObject({ suppressed: 1, refused: 0 });
    expect(await reasonOf('dead')).toBe('bounce');
    expect(await block(exported('resend'))).toMatchObject({ suppressed: 1, refused: 2 });
    expect(await reasonOf('ada')).toBeNull();
    const { code } = await mailroom(['suppression', 'import', file(exported('mailchimp-subscribed')), ...place()]);
    expect([code, await reasonOf('ada')]).toEqual([1, null]);
  });
});
