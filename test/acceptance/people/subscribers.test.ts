import { randomUUID } from 'node:crypto';
import { type Answer, call } from '../client.ts';
import { inbox } from '../inbox.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;
const path = (email: string) => `/api/v1/subscribers/${encodeURIComponent(email)}`;

function api(own: { apiKey: string } = workspace) {
  const at = { ...service, apiKey: own.apiKey };
  return {
    add: (body: object, headers = {}) => call(at, 'POST', '/api/v1/subscribers', { body, headers }),
    get: (email: string) => call(at, 'GET', path(email)),
    change: (email: string, body: object) => call(at, 'PATCH', path(email), { body }),
    remove: (email: string, headers = {}) => call(at, 'DELETE', path(email), { headers }),
    list: (query = '') => call(at, 'GET', `/api/v1/subscribers${query}`),
    suppress: (body: object) => call(at, 'POST', '/api/v1/suppression', { body }),
  };
}
const direct = (email: string, over: object = {}) => ({ email, double_opt_in: false, ...over });
const issues = ({ body }: Answer) => body.error.details.issues.map((issue: { path: string }) => issue.path);

beforeAll(async () => {
  service = await sharedService();
  workspace = await newWorkspace(service);
});
afterAll(() => service.stop());

describe('POST /subscribers', () => {
  it('stores a new subscriber as pending and returns the record with 201', async () => {
    const email = someone();
    const { status, body } = await api().add({
      email,
      firstName: 'Ada',
      lastName: 'Lovelace',
      tags: ['a', 'b', 'a'],
      fields: { city: 'London', age: 36.5, vip: true, none: null },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'subscriber',
      email,
      status: 'pending',
      firstName: 'Ada',
      lastName: 'Lovelace',
      tags: ['a', 'b'],
      fields: { city: 'London', age: 36.5, vip: true },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: body.created_at,
      confirmed_at: null,
      unsubscribed_at: null,
    });
    expect((await api().get(email)).body).toEqual(body);
  });

  it('registers directly with double_opt_in false, and sends nothing', async () => {
    const email = someone();
    const added = await api().add(direct(email));
    expect([added.status, added.body.status, added.body.confirmed_at]).toEqual([201, 'subscribed', null]);
    await api().add({ email: someone() });
    expect(await inbox(service, email)).toHaveLength(0);
  });

  it('takes other spellings of its fields, and names what it does not read', async () => {
    const email = someone();
    const names = { first_name: 'Grace', LASTNAME: 'Hopper', 'double-opt-in': false, Tag: ['navy'] };
    const { status, body, headers } = await api().add({ email, ...names, nickname: 'G', note: 1 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: 'subscribed', firstName: 'Grace', lastName: 'Hopper', tags: ['navy'] });
    expect(headers.get('Mailroom-Ignored')).toBe('nickname, note');
    const known = await api().add({ email, firstName: 'Ada', first_name: 'Ada' });
    expect([known.status, known.body.firstName, known.headers.get('Mailroom-Ignored')]).toEqual([200, 'Ada', null]);
  });

  it('refuses a field that two spellings give different values, and stores nothing', async () => {
    const email = someone();
    const twice = { firstName: 'Ada', first_name: 'Grace', double_opt_in: true, doubleOptIn: false };
    const refused = await api().add({ email, ...twice });
    expect([refused.status, issues(refused)]).toEqual([422, ['first_name', 'doubleOptIn']]);
    expect((await api().get(email)).status).toBe(404);
  });

  it('updates with 200: keeps omitted values, replaces tags, merges fields, deletes with null', async () => {
    const email = someone();
    const first = await api().add(direct(email, { firstName: 'Ada', tags: ['a'], fields: { x: 1, y: 'z' } }));
    const second = await api().add({
      email: email.toUpperCase(),
      lastName: 'L',
      tags: ['b'],
      fields: { y: null, w: false },
    });
    expect(second.status).toBe(200);
    expect(second.body).toEqual({
      ...first.body,
      lastName: 'L',
      tags: ['b'],
      fields: { x: 1, w: false },
      updated_at: second.body.updated_at,
    });
    expect(second.body.updated_at > first.body.updated_at).toBe(true);
  });

  it('changes a status on update only from pending with double_opt_in false', async () => {
    const email = someone();
    await api().add({ email });
    expect((await api().add({ email, firstName: 'A' })).body.status).toBe('pending');
    expect((await api().add(direct(email))).body.status).toBe('subscribed');
    expect((await api().add({ email, double_opt_in: true })).body.status).toBe('subscribed');
  });

  it.each([
    ['case and spaces', '  Ada.%@Example.NET  ', 'ada.%@example.net'],
    ['a plus tag', 'ada+news-%@example.net', 'ada+news-%@example.net'],
    ['a quoted local part', '"ada,,%"@example.net', '"ada,,%"@example.net'],
    ['a needless quotation', '"ada-%"@example.net', 'ada-%@example.net'],
    ['an international domain', 'ada%@münchen.example', 'ada%@xn--mnchen-3ya.example'],
    ['odd characters', "o'b#r/i?en{%}@example.net", "o'b#r/i?en{%}@example.net"],
    ['a quoted at and slash', '"a@b/%"@example.net', '"a@b/%"@example.net'],
  ])('stores an address in one form: %s', async (_what, given, stored) => {
    const unique = randomUUID().slice(0, 8);
    const [typed, canonical] = [given.replace('%', unique), stored.replace('%', unique)];
    const added = await api().add(direct(typed));
    expect([added.status, added.body.email]).toEqual([201, canonical]);
    expect((await api().add(direct(canonical))).status).toBe(200);
    expect((await api().get(typed)).body.email).toBe(canonical);
    expect((await api().get(canonical)).status).toBe(200);
    const found = await api().list(`?q=${encodeURIComponent(canonical)}`);
    expect(found.body.data.map(({ email }: { email: string }) => email)).toEqual([canonical]);
    expect((await api().remove(typed)).status).toBe(200);
    expect((await api().get(canonical)).body.status).toBe('unsubscribed');
  });

  it.each([
    ['no address', {}, ['email']],
    ['an address that is none', { email: 'nobody' }, ['email']],
    ['a display name', { email: 'Ada <ada@example.net>' }, ['email']],
    ['a line break in the address', { email: 'ada@example.net\r\nBcc: x@y.z' }, ['email']],
    ['a non-ASCII local part', { email: 'dörte@example.net' }, ['email']],
    ['a space in a quoted local part', { email: '"ada l"@example.net' }, ['email']],
    ['51 tags', { email: 'a@b.io', tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, ['tags']],
    ['an empty and a long tag', { email: 'a@b.io', tags: ['', 'x'.repeat(65)] }, ['tags[0]', 'tags[1]']],
    [
      '51 fields',
      { email: 'a@b.io', fields: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`f${n}`, n])) },
      ['fields'],
    ],
    ['a field name with a dash', { email: 'a@b.io', fields: { 'a-b': 1 } }, ['fields.a-b']],
    [
      'a long value, an object, a list',
      { email: 'a@b.io', fields: { a: 'x'.repeat(1001), b: {}, c: [] } },
      ['fields.a', 'fields.b', 'fields.c'],
    ],
    [
      'a number that cannot be kept',
      { email: 'a@b.io', fields: { a: 1e300, b: 2 ** 53, c: 1e-200 } },
      ['fields.a', 'fields.b', 'fields.c'],
    ],
    ['half a character', { email: 'a@b.io', firstName: 'A\ud800', fields: { a: '\udc00' } }, ['firstName', 'fields.a']],
    [
      'a name of 101 characters',
      { email: 'a@b.io', firstName: 'x'.repeat(101), lastName: 5 },
      ['firstName', 'lastName'],
    ],
    ['a line break in a name', { email: 'a@b.io', lastName: 'A\nB' }, ['lastName']],
    [
      'everything at once',
      { email: '', firstName: 1, tags: 'a', fields: [], double_opt_in: 'no' },
      ['email', 'firstName', 'tags', 'fields', 'double_opt_in'],
    ],
  ])('422 validation_error for %s, with every path', async (_what, body, paths) => {
    const answer = await api().add(body);
    expect([answer.status, answer.body.name]).toEqual([422, 'validation_error']);
    expect(issues(answer)).toEqual(paths);
  });

  it('reports which values a field may have', async () => {
    const answer = await api().add({ email: 'a@b.io', fields: { a: {} } });
    expect(answer.body.error.details.issues).toEqual([
      { path: 'fields.a', message: 'must be a string or a number or a boolean or null' },
    ]);
  });

  it('limits the stored fields to 50, not those of one request', async () => {
    const email = someone();
    const fields = (from: number) => Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${from + n}`, n]));
    await api().add(direct(email, { fields: fields(0) }));
    const more = await api().add(direct(email, { fields: fields(30) }));
    expect([more.status, issues(more)]).toEqual([422, ['fields']]);
    expect(Object.keys((await api().get(email)).body.fields)).toHaveLength(30);
  });

  it('stores field names of object prototypes like any others', async () => {
    const email = someone();
    const add = (fields: string) => {
      const raw = `{"email":"${email}","double_opt_in":false,"fields":${fields}}`;
      return call({ ...service, apiKey: workspace.apiKey }, 'POST', '/api/v1/subscribers', { raw });
    };
    const refused = await add('{"constructor":"a","__proto__":"b","toString":"c"}');
    expect(refused.body.error?.details).toMatchObject({ issues: [{ path: 'fields.__proto__' }] });
    expect((await add('{"constructor":"a","toString":"c"}')).status).toBe(201);
    expect((await api().get(email)).body.fields).toEqual({ constructor: 'a', toString: 'c' });
  });

  it('stores the largest subscriber that the limits allow', async () => {
    const fields = Object.fromEntries(
      Array.from({ length: 50 }, (_, n) => [`${'f'.repeat(60)}${n}`, '語'.repeat(1000)]),
    );
    const tags = Array.from({ length: 50 }, (_, n) => `${n}${'語'.repeat(62)}`);
    const names = { firstName: 'a '.repeat(50), lastName: '語 '.repeat(50) };
    const email = someone();
    expect((await api().add(direct(email, { fields, tags, ...names }))).status).toBe(201);
    expect((await api().get(email)).body).toMatchObject({ fields, tags });
    expect((await api().remove(email)).status).toBe(200);
  });

  it('refuses a person who left, 409 conflict with the status, in both languages', async () => {
    const email = someone();
    await api().add(direct(email));
    await api().remove(email);
    for (const double_opt_in of [true, false]) {
      const answer = await api().add({ email, double_opt_in, firstName: 'X' });
      expect([answer.status, answer.body.name, answer.body.error.details]).toEqual([
        409,
        'conflict',
        { status: 'unsubscribed' },
      ]);
    }
    const french = await api().add({ email }, { 'Accept-Language': 'fr' });
    expect(french.body.message).toMatch(/désabonnée/);
    expect((await api().get(email)).body).toMatchObject({ status: 'unsubscribed', firstName: null });
  });

  it('refuses an address that is only suppressed, 422 suppressed_recipient with reason and scope', async () => {
    const email = someone();
    await api().suppress({ email, reason: 'complaint' });
    const answer = await api().add(direct(email));
    expect([answer.status, answer.body.name]).toEqual([422, 'suppressed_recipient']);
    expect(answer.body.error.details).toEqual({ recipients: [{ email, reason: 'complaint', scope: 'organization' }] });
    expect((await api().get(email)).status).toBe(404);
  });

  it('refuses an address on the platform’s list', async () => {
    const email = someone();
    Object.assign(process.env, service.environment);
    const { suppress } = await import('../../../shared/services/suppression.ts');
    await suppress(null, email, 'bounce', new Date());
    const answer = await api().add(direct(email));
    expect(answer.body.error.details).toEqual({ recipients: [{ email, reason: 'bounce', scope: 'platform' }] });
  });

  it('returns 422 without a sender and stores nothing; with double_opt_in false no sender is needed', async () => {
    const poor = api(await newWorkspace(service, { sender: false }));
    const email = someone();
    const answer = await poor.add({ email });
    expect([answer.status, answer.body.name, issues(answer)]).toEqual([422, 'validation_error', ['double_opt_in']]);
    expect((await poor.get(email)).status).toBe(404);
    expect((await poor.add(direct(email))).status).toBe(201);
    expect((await poor.add({ email, firstName: 'A' })).status).toBe(200);
  });

  it('creates one subscriber with one 201 and one confirmation in a hundred concurrent requests', async () => {
    const email = someone();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => api().add({ email, firstName: 'Ada', ...(n % 2 ? { tags: ['a'] } : {}) })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 99 }, () => 200), 201]);
    expect((await api().list(`?q=${email}`)).body.data).toHaveLength(1);
    expect((await api().get(email)).body.tags).toEqual(['a']);
    await drained(email);
    expect(await inbox(service, email)).toHaveLength(1);
  });

  it('loses none of forty concurrent changes; a request with too many conflicts can be retried', async () => {
    const email = someone();
    await api().add(direct(email));
    const change = (n: number) => api().add(direct(email, { fields: { [`f${n}`]: n } }));
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => change(n)));
    for (const [n, { status }] of answers.entries()) {
      expect([200, 409]).toContain(status);
      if (status === 409) expect((await change(n)).status).toBe(200);
    }
    expect(Object.keys((await api().get(email)).body.fields)).toHaveLength(40);
  });
});

/** Waits until the confirmation was sent and everything queued after it was handled. */
async function drained(email: string): Promise<void> {
  const { eventually } = await import('../client.ts');
  await eventually(async () => (await inbox(service, email)).length > 0);
  const last = someone();
  await api().add({ email: last });
  await eventually(async () => (await inbox(service, last)).length > 0);
}

describe('GET and DELETE /subscribers/{email}', () => {
  it.each(['nobody', 'nobody@example.net', '%', 'a b', '"', 'x'.repeat(400)])('404 not_found for %j', async (email) => {
    for (const answer of [await api().get(email), await api().remove(email)]) {
      expect([answer.status, answer.body.name]).toEqual([404, 'not_found']);
    }
  });

  it('unsubscribes and suppresses, keeps the record, and is idempotent', async () => {
    const email = someone();
    await api().add(direct(email, { firstName: 'Ada' }));
    const first = await api().remove(email);
    expect(first.body).toEqual({
      object: 'subscriber',
      email,
      status: 'unsubscribed',
      suppressed: true,
      deleted: false,
    });
    const stored = (await api().get(email)).body;
    expect(stored).toMatchObject({ status: 'unsubscribed', firstName: 'Ada', unsubscribed_at: expect.any(String) });
    const again = await api().remove(email);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await api().get(email)).body).toEqual(stored);
  });

  it('404 for an address that is only suppressed', async () => {
    const email = someone();
    await api().suppress({ email });
    expect((await api().remove(email)).status).toBe(404);
  });

  it('sends no more single emails to an unsubscribed address', async () => {
    const email = someone();
    await api().add(direct(email));
    await api().remove(email);
    const body = { from: `hello@${workspace.domain}`, to: email, subject: 'S', text: 'T' };
    const sent = await call({ ...service, apiKey: workspace.apiKey }, 'POST', '/api/v1/emails', { body });
    expect([sent.status, sent.body.error.details.recipients]).toEqual([
      422,
      [{ email, reason: 'unsubscribe', scope: 'organization' }],
    ]);
  });
});

describe('GET /subscribers', () => {
  const emails = (answer: Answer): string[] => answer.body.data.map(({ email }: { email: string }) => email);

  async function pages(list: (query: string) => Promise<Answer>, query: string): Promise<string[][]> {
    const found: string[][] = [];
    let cursor = '';
    for (;;) {
      const page = await list(`?${query}${cursor}`);
      expect(page.status).toBe(200);
      expect(page.body.object).toBe('list');
      expect(page.body.has_more).toBe(page.body.next_cursor !== null);
      found.push(emails(page));
      if (!page.body.has_more) return found;
      cursor = `&cursor=${encodeURIComponent(page.body.next_cursor)}`;
    }
  }

  it('lists newest first in pages, each once, by status, and only people of the workspace', async () => {
    const own = api(await newWorkspace(service));
    const other = api(await newWorkspace(service));
    const added: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      const email = `n${n}@example.net`;
      await own.add(direct(email));
      await other.add(direct(email));
      added.unshift(email);
    }
    for (const email of ['n1@example.net', 'n4@example.net']) await own.remove(email);
    expect(await pages(own.list, 'limit=3')).toEqual([added.slice(0, 3), added.slice(3, 6), added.slice(6)]);
    expect(await pages(own.list, 'limit=1&status=unsubscribed')).toEqual([['n4@example.net'], ['n1@example.net']]);
    expect((await pages(own.list, 'limit=2&status=subscribed')).flat()).toEqual(
      added.filter((email) => !['n1@example.net', 'n4@example.net'].includes(email)),
    );
    expect(await pages(own.list, 'status=bounced')).toEqual([[]]);
    expect((await pages(other.list, 'status=subscribed')).flat()).toEqual(added);
    const cursor = encodeURIComponent((await own.list('?limit=3')).body.next_cursor);
    for (const foreign of [
      () => other.list(`?limit=3&cursor=${cursor}`),
      () => own.list(`?limit=3&status=subscribed&cursor=${cursor}`),
      () => own.list(`?limit=3&q=ex&cursor=${cursor}`),
      () => own.list(`?limit=3&cursor=x${cursor}`),
      () => own.list(`?limit=3&cursor=${cursor}.x`),
    ]) {
      const answer = await foreign();
      expect([answer.status, issues(answer)]).toEqual([422, ['cursor']]);
    }
  });

  it('finds by q in alphabetical order, each person once, over all pages and statuses', async () => {
    const own = api(await newWorkspace(service));
    const people = [
      { email: 'anna@anna.example', firstName: 'Anna', lastName: 'Annason' },
      { email: 'b@example.net', firstName: 'Anne', lastName: 'Élan' },
      { email: 'joanna@example.net', firstName: 'Jo Ann' },
      { email: 'zed@annex.example' },
      { email: 'nobody@example.net', lastName: 'Hannah' },
    ];
    for (const person of people) await own.add(direct(person.email, person));
    await own.remove('zed@annex.example');
    await own.add({ email: 'ann-pending@example.net' });
    const wanted = [
      'ann-pending@example.net',
      'anna@anna.example',
      'b@example.net',
      'joanna@example.net',
      'zed@annex.example',
    ];
    for (const limit of [1, 2, 3, 100]) {
      const found = (await pages(own.list, `q=ANN&limit=${limit}`)).flat();
      expect([...found].sort()).toEqual(wanted);
    }
    expect((await pages(own.list, 'q=ann&limit=2')).flat()).toEqual([
      'joanna@example.net',
      'ann-pending@example.net',
      'anna@anna.example',
      'b@example.net',
      'zed@annex.example',
    ]);
    expect((await pages(own.list, 'q=ann&status=unsubscribed')).flat()).toEqual(['zed@annex.example']);
    expect((await pages(own.list, 'q=elan')).flat()).toEqual(['b@example.net']);
    expect((await pages(own.list, 'q=zz')).flat()).toEqual([]);
  });

  it('follows a change of name and of status', async () => {
    const own = api(await newWorkspace(service));
    await own.add(direct('c@example.net', { firstName: 'Before' }));
    await own.add({ email: 'c@example.net', firstName: 'Afterwards' });
    expect(emails(await own.list('?q=before'))).toEqual([]);
    expect(emails(await own.list('?q=after&status=subscribed'))).toEqual(['c@example.net']);
    await own.remove('c@example.net');
    expect(emails(await own.list('?q=after&status=subscribed'))).toEqual([]);
    expect(emails(await own.list('?q=after&status=unsubscribed'))).toEqual(['c@example.net']);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=x', 'limit'],
    ['status=gone', 'status'],
    ['q=a', 'q'],
    ['q=%20a%20', 'q'],
    [`q=${'a'.repeat(321)}`, 'q'],
    ['cursor=', 'cursor'],
    ['cursor=abc.def', 'cursor'],
  ])('422 for %s', async (query, field) => {
    const answer = await api().list(`?${query}`);
    expect([answer.status, issues(answer)]).toEqual([422, [field]]);
  });
});

describe('PATCH /subscribers/{email}', () => {
  it('keeps what it does not name, and every tag of concurrent calls', async () => {
    const email = someone();
    await api().add(direct(email, { firstName: 'Ada', tags: ['a', 'b'], fields: { city: 'London', age: 36 } }));
    const changed = await api().change(email, { firstName: null, fields: { city: null }, remove_tags: ['b', 'x'] });
    expect(changed.body).toMatchObject({ status: 'subscribed', firstName: null, tags: ['a'], fields: { age: 36 } });
    const tags = Array.from({ length: 8 }, (_, index) => `t${index}`);
    await Promise.all(tags.map((tag) => api().change(email, { add_tags: [tag] })));
    expect((await api().get(email)).body.tags.toSorted()).toEqual(['a', ...tags]);
    const again = await api().change(email, { add_tags: ['a'] });
    expect([again.status, again.body]).toEqual([200, (await api().get(email)).body]);
  });

  it('adds nobody, asks nobody for consent again, and brings nobody back', async () => {
    const nobody = someone();
    expect((await api().change(nobody, { firstName: 'Ada' })).status).toBe(404);
    expect((await api().get(nobody)).status).toBe(404);
    expect((await api().change('no address', {})).status).toBe(404);
    const pending = someone();
    await api().add({ email: pending });
    expect((await api().change(pending, { add_tags: ['a'] })).body).toMatchObject({ status: 'pending', tags: ['a'] });
    await api().remove(pending);
    const gone = await api().change(pending, { add_tags: ['b'] });
    expect([gone.status, gone.body.error.details]).toEqual([409, { status: 'unsubscribed' }]);
    expect((await api().get(pending)).body).toMatchObject({ status: 'unsubscribed', tags: ['a'] });
  });

  it('refuses a 51st tag, a tag both ways, and unknown fields', async () => {
    const email = someone();
    const tags = Array.from({ length: 50 }, (_, index) => `t${index}`);
    await api().add(direct(email, { tags: tags.slice(1) }));
    expect((await api().change(email, { add_tags: ['t0', 't1'] })).body.tags).toHaveLength(50);
    const wrong = [
      [{ add_tags: ['one more'] }, 'add_tags'],
      [{ add_tags: ['a'], remove_tags: ['a'] }, 'add_tags'],
      [{ tags: ['a'] }, 'tags'],
      [{ status: 'subscribed' }, 'status'],
      [{ double_opt_in: false }, 'double_opt_in'],
    ] as const;
    for (const [body, field] of wrong) {
      const refused = await api().change(email, body);
      expect([refused.status, issues(refused)]).toEqual([422, [field]]);
    }
    expect((await api().change(email, { add_tags: ['one more'], remove_tags: ['t0'] })).status).toBe(200);
  });
});

describe('a list that goes on after an address', () => {
  it('is that of the cursor', async () => {
    const own = api(await newWorkspace(service));
    const emails = Array.from({ length: 5 }, someone);
    for (const email of emails) await own.add(direct(email));
    const newest = emails.toReversed();
    const page = await own.list(`?limit=2&after=${newest[1]?.toUpperCase()}`);
    expect(page.body.data.map(({ email }: { email: string }) => email)).toEqual(newest.slice(2, 4));
    const rest = await own.list(`?limit=2&cursor=${page.body.next_cursor}`);
    expect(rest.body.data.map(({ email }: { email: string }) => email)).toEqual(newest.slice(4));
    for (const after of [someone(), 'no address', '2026-01-01T00:00:00.000Z']) {
      const refused = await own.list(`?after=${encodeURIComponent(after)}`);
      expect([refused.status, issues(refused)]).toEqual([422, ['after']]);
    }
    expect(issues(await own.list(`?q=example&after=${newest[0]}`))).toEqual(['after']);
    expect(issues(await own.list(`?after=${newest[0]}&cursor=${page.body.next_cursor}`))).toEqual(['after']);
  });
});
