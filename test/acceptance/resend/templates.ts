import { call } from '../client.ts';
import { received } from '../inbox.ts';
import { type ClientWorld, dataOf, refusalOf, type Scenarios } from './scenarios.ts';

const written = {
  ...{ name: 'Receipt', subject: 'Receipt {{{ORDER}}}', html: '<p>{{{NAME}}}, {{{ORDER}}}</p>' },
  variables: [
    { key: 'NAME', type: 'string' as const, fallbackValue: 'you' },
    { key: 'ORDER', type: 'number' as const },
  ],
};

const newTemplate = async ({ resend }: ClientWorld): Promise<string> =>
  (await dataOf(resend.templates.create(written))).id;

/** The names of the client's calls about templates. */
export const templateScenarios: Scenarios = {
  'templates.create': async (world) => {
    const { resend, service, workspace } = world;
    const created = await dataOf(resend.templates.create(written).publish());
    expect(created).toEqual({ object: 'template', id: expect.stringMatching(/^tpl_/) });
    const to = 'template@example.net';
    const template = { id: created.id, variables: { ORDER: 7 } };
    await dataOf(resend.emails.send({ from: `hello@${workspace.domain}`, to, template }));
    expect((await received(service, to)).mail).toMatchObject({
      subject: 'Receipt 7',
      text: expect.stringContaining('you, 7'),
    });
    for (const more of [{ from: 'a@b.example' }, { replyTo: 'a@b.example' }, { alias: 'receipt' }]) {
      const [field] = Object.keys(more);
      const message = expect.stringMatching(field === 'replyTo' ? /^reply_to: / : new RegExp(`^${field}: `));
      expect(await refusalOf(resend.templates.create({ ...written, ...more }))).toEqual([422, message]);
    }
  },
  'templates.get': async (world) => {
    const id = await newTemplate(world);
    const at = expect.stringMatching(/Z$/);
    const variable = { created_at: at, updated_at: at };
    expect(await dataOf(world.resend.templates.get(id))).toEqual({
      ...{ object: 'template', id, name: 'Receipt', subject: written.subject, html: written.html, text: null },
      ...{
        status: 'published',
        alias: null,
        from: null,
        reply_to: null,
        published_at: at,
        created_at: at,
        updated_at: at,
      },
      ...{ has_unpublished_versions: false, current_version_id: '1' },
      variables: [
        { key: 'NAME', type: 'string', fallback_value: 'you', ...variable },
        { key: 'ORDER', type: 'number', fallback_value: null, ...variable },
      ],
    });
    expect((await refusalOf(world.resend.templates.get('receipt')))[0]).toBe(404);
  },
  'templates.list': async (world) => {
    const { resend } = world;
    const ids = [await newTemplate(world), await newTemplate(world), await newTemplate(world)];
    const first = await dataOf(resend.templates.list({ limit: 1 }));
    expect(first).toMatchObject({ object: 'list', has_more: true, data: [{ id: ids[2], status: 'published' }] });
    const next = await dataOf(resend.templates.list({ limit: 2, after: ids[2] ?? '' }));
    expect(next.data.map(({ id }) => id)).toEqual([ids[1], ids[0]]);
  },
  'templates.update': async (world) => {
    const { resend } = world;
    const id = await newTemplate(world);
    expect(await dataOf(resend.templates.update(id, { subject: 'Order' }))).toEqual({ object: 'template', id });
    expect(await dataOf(resend.templates.get(id))).toMatchObject({ subject: 'Order', current_version_id: '2' });
    expect((await refusalOf(resend.templates.update(id, { from: 'a@b.example' })))[0]).toBe(422);
  },
  'templates.remove': async (world) => {
    const id = await newTemplate(world);
    expect(await dataOf(world.resend.templates.remove(id))).toEqual({ object: 'template', id, deleted: true });
    expect((await refusalOf(world.resend.templates.get(id)))[0]).toBe(404);
  },
  'templates.publish': async (world) => {
    const id = await newTemplate(world);
    expect(await dataOf(world.resend.templates.publish(id))).toEqual({ object: 'template', id });
    expect((await refusalOf(world.resend.templates.publish('x')))[0]).toBe(404);
  },
  'templates.duplicate': async (world) => {
    const { resend, service, workspace } = world;
    const id = await newTemplate(world);
    const copy = await dataOf(resend.templates.duplicate(id).publish());
    const { html, subject, variables } = await dataOf(resend.templates.get(copy.id));
    expect(copy.id).not.toBe(id);
    expect([html, subject, variables?.length]).toEqual([written.html, written.subject, 2]);
    const content = [{ type: 'paragraph', text: 'Hello {{NAME}}' }];
    const body = { name: 'x'.repeat(200), subject: 'Hello', preheader: 'Soon', content };
    const api = { ...service, apiKey: workspace.apiKey };
    const blocks = await call(api, 'POST', '/api/v1/templates', { body });
    const copied = await dataOf(resend.templates.duplicate(blocks.body.id));
    expect((await call(api, 'GET', `/api/v1/templates/${copied.id}`)).body).toMatchObject({
      ...{ name: `${'x'.repeat(193)} (copy)`, preheader: 'Soon', content },
    });
  },
};
