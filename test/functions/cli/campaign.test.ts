import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listRecipientsQuery } from '../../../shared/contract/schemas/campaignRecipient.ts';
import { inZone, parseWallTime } from '../../../shared/domain/zonedTime.ts';
import { call } from '../../acceptance/client.ts';
import { startService, type TestService } from '../../acceptance/service.ts';
import { mailroom, startCommands } from './mailroom.ts';
import { hasTerminal, mailroomAtTerminal } from './terminal.ts';

let service: TestService;
const commands = startCommands();
afterAll(() => commands.stop());
let folder: string;
beforeAll(async () => {
  service = await startService();
  folder = mkdtempSync(join(tmpdir(), 'mailroom-campaign-'));
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const place = () => ['--data', service.dataDir, '--workspace', service.workspaceId];
const run = (...words: string[]) => mailroom(['campaign', ...words, ...place()]);
const json = (...words: string[]) => commands.json(['campaign', ...words, ...place()]);

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const news = {
  name: 'News',
  from: 'News <news@example.com>',
  subject: '{{firstName|Hello}}, news',
  text: 'Dear {{firstName|reader}}, [look](https://example.com/look).',
};

describe('campaign create', () => {
  it('reports a file that is missing, is not JSON, or that the API would refuse', async () => {
    const errorOf = async (path: string) => (await run('create', path)).stderr;
    expect(await errorOf(join(folder, 'none.json'))).toMatch(/^error: There is no file ".*none\.json"\.\n$/);
    expect(await errorOf(file('bad.json', '{'))).toMatch(/^error: ".*bad\.json" is not JSON: /);
    const both = file('both.json', { ...news, content: [{ type: 'divider' }] });
    expect(await errorOf(both)).toMatch(/^error: text .*both given.*; content .*both given/);
    const large = file('large.json', { ...news, text: 'é'.repeat(400_000) });
    expect(await errorOf(large)).toMatch(/^error: text is too large once rendered/);
  });
});

describe('a segment of a draft', () => {
  it('is found by its name, and kept by its id', async () => {
    const segment = await commands.json(['segment', 'create', 'Vips', '--rule', '{"tag":"vip"}', ...place()]);
    const { id, target } = await json('create', file('named.json', { ...news, segment_id: 'VIPS' }));
    expect(target.segment).toEqual({ id: segment.id, name: 'Vips' });
    expect((await json('show', id)).segment_id).toBe(segment.id);
    const { stdout } = await run('create', file('named.json', { ...news, segment_id: segment.id }));
    expect(stdout).toContain('for the segment "Vips"');
    const unknown = await run('create', file('unknown.json', { ...news, segment_id: 'Nobodies' }));
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no segment "Nobodies"')]);
    const mistyped = await run('create', file('mistyped.json', { ...news, segmentId: segment.id }));
    expect([mistyped.code, mistyped.stderr]).toEqual([1, expect.stringContaining('segment_id')]);
  });
});

describe('campaign preview', () => {
  it('shows the message with the fields of a subscriber, and writes its HTML', async () => {
    const body = { email: 'ada@example.net', firstName: 'Ada', double_opt_in: false };
    expect((await call(service, 'POST', '/api/v1/subscribers', { body })).status).toBe(201);
    const { id } = await json('create', file('news.json', news));
    const out = join(folder, 'news.html');
    const shown = await json('preview', id, '--to', 'ada@example.net', '--out', out);
    expect(shown).toMatchObject({ subject: 'Ada, news', file: out });
    expect(readFileSync(out, 'utf8')).toContain('Dear Ada, ');
    expect((await json('preview', id)).subject).toBe('Hello, news');
  });

  it('warns of HTML that Gmail would cut off', async () => {
    const { id } = await json('create', file('long.json', { ...news, text: 'word '.repeat(25_000) }));
    expect((await run('preview', id)).stdout).toMatch(/Gmail cuts it off after 102 kB/);
  });
});

/** A day of the calendar from now on. */
const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toJSON().slice(0, 10);

/** Campaigns are scheduled only for an audience that is not empty. */
async function addSubscriber(): Promise<void> {
  const body = { email: 'grace@example.net', double_opt_in: false };
  expect([200, 201]).toContain((await call(service, 'POST', '/api/v1/subscribers', { body })).status);
}

describe('campaign schedule', () => {
  beforeAll(addSubscriber);

  it('accepts a time with its offset, moves it, and refuses one that is not in the calendar', async () => {
    const { id } = await json('create', file('news.json', news));
    for (const at of ['2031-02-30T09:00Z', '2031-03-01T09:00', 'tomorrow']) {
      expect((await run('schedule', id, '--at', at)).stderr).toMatch(/^error: .*Give a time with its offset/);
    }
    const day = dayAfter(300);
    const { scheduledAt, recipients } = await json('schedule', id, '--at', `${day}T09:00+05:30`);
    expect([scheduledAt, recipients]).toEqual([`${day}T03:30:00.000Z`, expect.any(Number)]);
    const moved = await json('schedule', id, '--at', `${day} 09:00`, '--zone', 'Asia/Tokyo');
    expect(moved).toMatchObject({ scheduledAt: `${day}T00:00:00.000Z`, zone: 'Asia/Tokyo', remark: null });
    expect((await json('list', '--status', 'scheduled')).data).toEqual([expect.objectContaining({ id })]);
    expect((await run('send', id)).stderr).toMatch(/^error: .*Unschedule it to send it now; .* can also move it/);
    expect(await json('unschedule', id)).toMatchObject({ status: 'draft' });
  });

  it('refuses a time that the API refuses', async () => {
    const { id } = await json('create', file('news.json', news));
    for (const at of [`${dayAfter(368)}T00:00Z`, new Date(Date.now() + 30_000).toISOString()]) {
      expect((await run('schedule', id, '--at', at)).stderr).toMatch(/must lie 1 minute to 366 days ahead/);
    }
    expect(await json('show', id)).toMatchObject({ status: 'draft' });
  });
});

describe('campaign schedule --zone', () => {
  const scheduled = (at: string, zone: string) => run('schedule', 'camp_none', '--at', at, '--zone', zone);

  it('refuses a time that the clocks of the zone skip, and names the next one', async () => {
    expect((await scheduled('2031-03-30 02:30', 'Europe/Paris')).stderr).toMatch(
      /2031-03-30 02:30 does not exist in Europe\/Paris: .* Use 2031-03-30 03:30 \(Europe\/Paris, GMT\+2\) instead\./,
    );
  });

  it('uses the first of two equal times, with a remark', async () => {
    const { id } = await json('create', file('news.json', news));
    // The clocks of New York are set back a week after those of Paris, so one of both changes lies less than a year ahead.
    const found = Array.from({ length: 364 }, (_, index) => dayAfter(index + 2)).flatMap((day) =>
      [['02:30', 'Europe/Paris'] as const, ['01:30', 'America/New_York'] as const].flatMap(([time, zone]) => {
        const moment = inZone(parseWallTime(`${day} ${time}`) ?? { asUtc: 0 }, zone);
        return moment.kind === 'fold' ? [{ moment, zone, text: `${day} ${time}` }] : [];
      }),
    );
    const [first] = found;
    if (!first) throw new Error('No clocks are set back within a year.');
    const { moment, zone, text } = first;
    const { stdout } = await run('schedule', id, '--at', text, '--zone', zone);
    expect(stdout).toContain(`will be sent at ${moment.at.toISOString()}: ${text} (${zone}, GMT`);
    expect(stdout).toContain(`twice; the first is used. The second is ${moment.later.toISOString()}.`);
    await run('unschedule', id);
  });

  it('refuses an unknown zone, and a zone together with an offset', async () => {
    for (const zone of ['Mars/Base', '+01:00', 'CET']) {
      expect((await scheduled('2031-03-01 09:00', zone)).stderr).toMatch(/is not a time zone/);
    }
    expect((await scheduled('2031-03-01T09:00+01:00', 'Europe/Paris')).stderr).toMatch(/With --zone/);
  });
});

describe('campaign send', () => {
  it('refuses a list that the API would refuse', async () => {
    const { id } = await json('create', file('news.json', news));
    const list = file('many.txt', Array.from({ length: 50_001 }, (_, index) => `p${index}@example.net`).join('\n'));
    expect((await run('send', id, '--to', list, '--dry-run')).stderr).toMatch(/at most 50000 addresses/);
    const nobody = await json('send', id, '--to', file('nobody.txt', '\n\n'), '--dry-run');
    expect(nobody).toMatchObject({ would_send: false, recipients: null });
    expect(nobody.blocked_reason).toMatch(/"to" is empty/);
  });

  it('explains in a dry run every address that gets nothing, and warns', async () => {
    const tag = 'category:offers';
    await commands.json(['topic', 'set', tag, '--name', 'Offers', ...place()]);
    const people = { ada: {}, pen: { double_opt_in: true }, left: {} };
    for (const [name, more] of Object.entries(people)) {
      const body = { email: `${name}@dry.example`, double_opt_in: false, ...more };
      expect((await call(service, 'POST', '/api/v1/subscribers', { body })).status).toBe(201);
    }
    const { id: topic } = (await commands.json(['topic', 'list', ...place()])).data[0];
    await commands.json(['subscriber', 'preferences', 'left@dry.example', '--leave', topic, ...place()]);
    const { id } = await json('create', file('offers.json', { ...news, tag }));
    const list = file(
      'dry.txt',
      ['ada', 'pen', 'ADA', 'left', 'nobody'].map((name) => `${name}@dry.example`).join('\n'),
    );
    const { stdout } = await run('send', id, '--to', list, '--dry-run');
    const [head, ...parts] = stdout.trimEnd().split('\n\n');
    expect(head).toBe(
      'It would be sent to 1 of the 5 entries of dry.txt, in the whole list, without people who unsubscribed from "Offers".',
    );
    expect(parts.slice(0, 2)).toEqual([
      'Repeated in the list, and counted once: 1.',
      `SKIPPED             REASON        MEANING
pen@dry.example     pending       Sign-up not yet confirmed.
left@dry.example    unsubscribed  Has left the topic category:offers.
nobody@dry.example  not_in_list   No subscriber of the workspace has this address.`,
    ]);
    expect(parts[2]).toMatch(/^warning: There is no preview text: .* \(preheader\)$/m);
    const none = await run('send', id, '--to', file('none.txt', 'pen@dry.example'), '--dry-run');
    expect(none.stdout).toMatch(/^It would not be sent: .*\n\nSKIPPED .*\npen@dry\.example +pending /);
    expect((await run('send', id, '--dry-run')).stdout).toMatch(
      /^It would be sent to \d+ recipients of the whole list/,
    );
  });

  (hasTerminal ? it : it.skip)('asks at a terminal before it writes to everybody, with their number', async () => {
    const { id } = await json('create', file('news.json', news));
    const words = (...more: string[]) => ['campaign', 'send', id, ...more, ...place()];
    for (const answer of ['n\n', '\n', '\u0003', '\u0004']) {
      const { code, shown } = await mailroomAtTerminal(words(), answer);
      expect([code, shown]).toEqual([1, expect.stringMatching(/to \d+ recipients of the whole list\? \[y\/N\]/)]);
      expect(shown).toContain('error: Nothing was sent.');
    }
    expect((await json('show', id)).status).toBe('draft');
    expect((await mailroomAtTerminal(words('--dry-run'), 'n\n')).shown).not.toContain('[y/N]');
    expect(await mailroomAtTerminal(words(), 'yes\n')).toMatchObject({
      code: 0,
      shown: expect.stringContaining('Queued for'),
    });
    const { id: other } = await json('duplicate', id);
    const unasked = await mailroomAtTerminal(['campaign', 'send', other, '--yes', ...place()], 'n\n');
    expect([unasked.code, unasked.shown]).toEqual([0, expect.not.stringContaining('[y/N]')]);
  });

  it('asks nothing where nobody can answer, or where the people are named', async () => {
    const { id } = await json('create', file('news.json', news));
    expect((await run('send', id)).stdout).toMatch(/^Queued for \d+ recipients? of the whole list\. /);
    const { id: other } = await json('duplicate', id);
    const list = file('one.txt', 'ada@dry.example');
    expect((await run('send', other, '--to', list)).stdout).toMatch(
      /^Queued for 1 of the 1 entry of one\.txt, in the whole list\. /,
    );
  });
});

describe('campaign recipients', () => {
  it('takes every outcome that the API takes', async () => {
    const { id } = await json('create', file('news.json', news));
    const outcomes = listRecipientsQuery.shape.outcome.unwrap().in.unwrap().options;
    expect(outcomes).toContain('opened');
    for (const outcome of outcomes) {
      const { code, stdout } = await commands.run(['campaign', 'recipients', id, '--outcome', outcome, ...place()]);
      expect([code, stdout.split('\n').length]).toEqual([0, 2]);
    }
    expect((await run('recipients', id, '--outcome', 'nothing')).code).toBe(2);
  });
});

describe('template', () => {
  const own = (...words: string[]) => mailroom(['template', ...words, ...place()]);
  const ownJson = (...words: string[]) => commands.json(['template', ...words, ...place()]);

  it('can be created, shown, changed and deleted with the fields of the API', async () => {
    const written = { name: 'Order', subject: 'Order {{order}}', text: 'Hello {{firstName|there}}, {{order}}.' };
    const { id } = await ownJson('create', file('template.json', written));
    expect((await ownJson('list')).data).toEqual([expect.objectContaining({ id, name: 'Order', version: 1 })]);
    const changed = await ownJson('edit', id, file('change.json', { text: 'Order {{order}} is out.' }));
    expect([changed.version, changed.text, changed.subject]).toEqual([2, 'Order {{order}} is out.', written.subject]);
    expect((await ownJson('show', id, '--of-version', '1')).text).toBe(written.text);
    expect((await own('show', id)).stdout).toContain('Order {{order}} is out.');
    expect((await own('create', file('wrong.json', { name: 'x', html: '<script>{{a}}</script>' }))).stderr).toMatch(
      /^error: html/,
    );
    expect((await own('delete', id)).stdout).toBe(`${id} is deleted.\n`);
    expect((await own('show', id)).code).toBe(1);
  });
});

describe('email', () => {
  const own = (...words: string[]) => mailroom(['email', ...words, ...place()]);
  const ownJson = (...words: string[]) => commands.json(['email', ...words, ...place()]);

  it('can be listed, shown and canceled', async () => {
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    const to = 'later@example.net';
    const body = { from: 'hello@example.com', to, subject: 'Later', text: 'Hi.', scheduled_at };
    const { body: sent } = await call(service, 'POST', '/api/v1/emails', { body });
    const ids = async (status: string) =>
      (await ownJson('list', '--status', status)).data.map(({ id }: { id: string }) => id);
    expect(await ids('scheduled')).toEqual([sent.id]);
    expect((await own('show', sent.id)).stdout).toMatch(/Status +scheduled\n[\s\S]*Scheduled +20/);
    expect((await own('cancel', sent.id)).stdout).toBe(`${sent.id} is canceled.\n`);
    expect([await ids('scheduled'), await ids('canceled')]).toEqual([[], [sent.id]]);
    expect((await own('list', '--status', 'nothing')).code).toBe(2);
  });
});
