import { routes } from '../../shared/contract/routes.ts';
import { type Answer, call } from '../acceptance/client.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { newWorkspace } from '../acceptance/workspace.ts';
import { brokenPromises } from './conformance.ts';
import { type Field, fieldsOf, takesAddress, textOf } from './fields.ts';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startService({ env: { REQUESTS_PER_MINUTE: '100000', EMAIL_LIST: 'recipient-and-tag' } });
  ({ apiKey: key } = await newWorkspace(service, { domain: 'example.com' }));
});
afterAll(() => service.stop());

type Owned = Field & { route: (typeof routes)[number] };

const fields: Owned[] = routes.flatMap((route) => fieldsOf(route).map((field) => ({ ...field, route })));
const named = (wanted: (field: Owned) => boolean) =>
  fields.filter(wanted).map((field) => [`${field.path} of ${field.route.id}`, field] as const);

/** Calls a route with this value in this field. Every answer must be one that the OpenAPI document promises. */
async function send({ route, part, holding }: Owned, value: unknown): Promise<Answer> {
  const given = holding(value);
  const inPart = (name: Field['part']) => (part === name ? (given as Record<string, string>) : {});
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(inPart('path')[name] ?? 'nobody'));
  const answer = await call(service, route.method, `${path}?${new URLSearchParams(inPart('query'))}`, {
    key,
    headers: inPart('headers'),
    ...(route.request.body ? { body: part === 'body' ? given : route.request.example } : {}),
  });
  expect({ route: route.id, broken: brokenPromises(route, answer) }).toEqual({ route: route.id, broken: [] });
  return answer;
}

/** The issues of the value itself. In a batch, other reasons against the send are issues too. */
const toldOf = ({ path }: Field, { body }: Answer): string[] =>
  (body.name === 'validation_error' ? body.error.details.issues : []).flatMap(
    (issue: { path: string; message: string }) => (issue.path === path ? issue.message : []),
  );

describe('lengths are counted in characters, an emoji being one', () => {
  const bounded = named((field) => field.part !== 'path' && textOf(field)?.maxLength !== undefined);

  it('has a limit for every string, except files and addresses that are only counted', () => {
    const unbounded = fields.filter((field) => textOf(field) && field.part !== 'path' && !textOf(field)?.maxLength);
    expect(unbounded.map(({ route, path }) => `${route.id} ${path}`)).toEqual([
      'emails.send attachments[0].content',
      'emails.sendBatch [0].attachments[0].content',
      'campaigns.send to[0]',
      'audience.evaluate to[0]',
    ]);
    expect(bounded.length).toBeGreaterThan(20);
  });

  it.each(bounded)('%s', async (_name, field) => {
    const { maxLength, pattern, examples } = textOf(field) as {
      maxLength: number;
      pattern?: string;
      examples?: string[];
    };
    const takesEmoji = field.part !== 'headers' && (!pattern || new RegExp(pattern, 'u').test('😀'));
    const filling = takesEmoji ? '😀' : 'x';
    const [example = ''] = examples ?? [];
    const shapes = [
      (length: number) => filling.repeat(length),
      (length: number) => `${filling.repeat(length - 18)} <ada@example.net>`,
      (length: number) => `${example}${filling.repeat(length - example.length)}`,
    ];
    for (const shape of shapes) {
      const limit = `${maxLength} characters`;
      const [fits, isOver] = [await send(field, shape(maxLength)), await send(field, shape(maxLength + 1))];
      expect(fits.status).not.toBe(500);
      expect(toldOf(field, fits).filter((message) => message.startsWith('must have at most'))).toEqual([]);
      expect(isOver.status).toBe(422);
      expect(toldOf(field, isOver)).toEqual(expect.arrayContaining([expect.stringContaining(limit)]));
    }
  });
});

describe('addresses that SES never takes', () => {
  // `after` names an entry of the list: it is found or not, whatever it is made of.
  const addressed = named((field) => field.part !== 'path' && field.path !== 'after' && takesAddress(field));

  it.each(addressed)('%s: 422 for a space in a quoted local part, with its own message', async (_name, field) => {
    const answer = await send(field, '"a b"@example.net');
    expect(answer.status).toBe(422);
    expect(toldOf(field, answer)).toEqual([expect.stringContaining('a space before the @')]);
  });

  it.each(addressed)('%s: 422 for a bare address of 255 characters', async (_name, field) => {
    const domain = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(57)}.com`;
    const [longest, longer] = [`${'l'.repeat(64)}@${domain}`, `${'l'.repeat(64)}@${domain}m`];
    expect(toldOf(field, await send(field, longest))).toEqual([]);
    expect(toldOf(field, await send(field, longer))).toEqual([expect.stringContaining('254 characters')]);
  });

  it('are invalid in a list that is only counted', async () => {
    const to = ['"a b"@example.net', `${'l'.repeat(64)}@${'a.'.repeat(94)}com`];
    const answer = await call(service, 'POST', '/api/v1/audience', { key, body: { to } });
    expect(answer.body.audience).toMatchObject({ requested: 2, duplicates: 0, reasons: { invalid: 2 } });
  });
});

/** Writing one of these again changes it, and null removes what it had. */
const writers = ['domains.create mail_from', 'senders.create name'];

describe('null for an optional field', () => {
  /** A list or a check that was lost must not become a send to everybody. */
  const isOfSend = ({ route }: Owned) => route.id === 'campaigns.send';
  const isOptional = ({ part, isRequired, path }: Owned) => part === 'body' && !isRequired && !path.endsWith('.Any');
  /** Of a change, null clears what can be empty: the contract’s PATCH. */
  const isOfChange = ({ route }: Owned) =>
    ['segments', 'campaigns', 'topics', 'form', 'subscribers', 'automations'].some(
      (group) => route.id === `${group}.update`,
    );
  const optional = named((field) => isOptional(field) && !isOfSend(field) && !isOfChange(field));

  it.each(named((field) => isOptional(field) && isOfChange(field) && !/[.[]/.test(field.path)))(
    '%s: clears it or is refused, and is never its absence',
    (_name, { route, path, holding }) => {
      const { data, error } = route.request.body?.safeParse(holding(null)) ?? {};
      const refused = new Set(error?.issues.map((issue) => issue.path.join('.')));
      if (refused.size > 0) expect(refused).toEqual(new Set([path]));
      else expect((data as Record<string, unknown>)[path]).toBeNull();
    },
  );

  it.each(named((field) => isOptional(field) && isOfSend(field)))(
    '%s: is refused',
    (_name, { route, path, holding }) => {
      const { error } = route.request.body?.safeParse(holding(null)) ?? {};
      expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path]);
    },
  );

  it.each(optional)(
    '%s: is its absence, or has a meaning that is told',
    async (_name, { route, path, holding, schema }) => {
      const body = route.request.body;
      const [given, absent] = [body?.safeParse(holding(null)), body?.safeParse(holding(undefined))];
      expect(given?.error?.issues ?? []).toEqual(absent?.error?.issues ?? []);
      const isTold = /\bnull\b/.test(String(schema.description));
      const told = [
        'subscribers.upsert firstName',
        'subscribers.upsert lastName',
        'subscribers.upsert fields',
        'automations.create max_delay',
        ...writers,
      ];
      if (isTold) expect(told).toContain(`${route.id} ${path}`);
      if (!isTold || path === 'fields') expect(given?.data).toEqual(absent?.data);
    },
  );
});
