import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import * as z from 'zod';
import { routes } from '../../../../shared/contract/routes.ts';
import { describe as described } from '../../../../shared/contract/schemas/fields.ts';
import { type Tool, tools } from '../../../../shared/contract/tools.ts';
import { catalogIn } from '../../../../shared/documentation/catalog/catalog.ts';
import { listedTool, toolCall } from '../../../../shared/documentation/catalog/tools.ts';
import { errorsOf } from '../../../../shared/documentation/chapters.ts';
import { inEachLanguage, languageTags } from '../../../../shared/language/languages.ts';
import { text } from '../../../../shared/language/text.ts';

const catalogs = inEachLanguage(catalogIn);
const ajv = new Ajv2020({ strict: false, allErrors: true });
formatsPlugin.default(ajv);

/** The interface's list of tools. */
const promised = [
  'get_account',
  'send_email',
  'get_email',
  'list_subscribers',
  'add_subscriber',
  'remove_subscriber',
  'list_suppression',
  'add_suppression',
  'list_campaigns',
  'create_campaign',
  'preview_campaign_send',
  'send_campaign',
  'get_campaign_stats',
];

const toolNamed = (name: string): Tool => tools.find((tool) => tool.name === name) as Tool;

describe.each(languageTags)('the catalog of the MCP server in %s', (language) => {
  const catalog = catalogs[language];

  const further = Object.values(catalog.toolsets).flat();

  it('has the tools of the interface, and those of the toolsets', () => {
    expect(catalog.tools.map(({ name }) => name)).toEqual([...promised, ...further]);
    expect(Object.keys(catalog.calls)).toEqual([...promised, ...further]);
    expect(new Set(further).size).toBe(further.length);
  });

  it.each(promised)('describes %s and each of its fields', (name) => {
    const tool = catalog.tools.find((one) => one.name === name);
    expect(tool?.title).toBeTruthy();
    expect(tool?.description).toContain(toolNamed(name).description ? '' : toolNamed(name).route.description[language]);
    const fields = Object.entries(tool?.inputSchema.properties ?? {}) as [string, { description?: string }][];
    expect(fields.filter(([, field]) => !field.description).map(([field]) => field)).toEqual([]);
    for (const schema of [tool?.inputSchema, tool?.outputSchema]) {
      // The APIs of several models refuse these at the top of a tool's schema.
      expect(Object.keys(schema ?? {}).filter((key) => ['anyOf', 'allOf', 'oneOf', '$ref'].includes(key))).toEqual([]);
      expect(ajv.validateSchema(schema ?? false)).toBe(true);
    }
  });

  it.each(promised)('accepts the example request of the route of %s, and its example answer', (name) => {
    const { route, status, fixed } = toolNamed(name);
    const { inputSchema, outputSchema } = catalog.tools.find((one) => one.name === name) ?? {};
    const inPath = Object.fromEntries([...route.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => [parameter, 'x']));
    const decided = Object.fromEntries(Object.keys(fixed?.fields ?? {}).map((field) => [field, undefined]));
    const given = JSON.parse(JSON.stringify({ ...(route.request.example as object), ...inPath, ...decided }));
    expect([ajv.validate(inputSchema ?? false, given), ajv.errors]).toEqual([true, null]);
    const response = route.responses.find((one) => status === undefined || one.status === status);
    if (response?.example)
      expect([ajv.validate(outputSchema ?? false, response.example), ajv.errors]).toEqual([true, null]);
  });

  it('is listed within 8,000 tokens of a model, and with all toolsets within 24,000', () => {
    const tokens = (listed: readonly unknown[]) => encode(JSON.stringify({ tools: listed })).length;
    expect(tokens(catalog.tools.filter(({ name }) => promised.includes(name)))).toBeLessThanOrEqual(8000);
    expect(tokens(catalog.tools)).toBeLessThanOrEqual(24_000);
  });

  it.each(further)('describes %s and each of its fields', (name) => {
    const tool = catalog.tools.find((one) => one.name === name);
    expect(tool?.title).toBeTruthy();
    const fields = Object.entries(tool?.inputSchema.properties ?? {}) as [string, { description?: string }][];
    expect(fields.filter(([, field]) => !field.description).map(([field]) => field)).toEqual([]);
    expect(
      Object.keys(tool?.inputSchema ?? {}).filter((key) => ['anyOf', 'allOf', 'oneOf', '$ref'].includes(key)),
    ).toEqual([]);
    expect(ajv.validateSchema(tool?.inputSchema ?? false)).toBe(true);
  });

  it('says what each block of a campaign takes, once', () => {
    const { inputSchema } = catalog.tools.find((one) => one.name === 'create_campaign') ?? {};
    const text = 'Hello {{firstName|there}}';
    const simple = [
      { type: 'heading', level: 3, text },
      { type: 'paragraph', text },
      { type: 'image', src: 'https://example.com/a.png', alt: '' },
      { type: 'button', label: 'See', href: 'https://example.com' },
      { type: 'divider' },
      { type: 'list', items: [text], ordered: true },
      { type: 'spacer', height: 24 },
      { type: 'social', links: ['https://instagram.com/acme'] },
      { type: 'quote', text, by: 'Ada', align: 'center', color: '#204030' },
      { type: 'code', text: 'npm start' },
      { type: 'html', html: '<p>Hello</p>' },
      { type: 'menu', items: [{ label: 'Shop', href: 'https://example.com' }] },
      { type: 'video', src: 'https://example.com/a.png', alt: 'How', href: 'https://example.com' },
      {
        type: 'product',
        src: 'https://example.com/a.png',
        alt: '',
        title: 'Coat',
        label: 'Buy',
        href: 'https://example.com',
      },
    ];
    const content = [...simple, { type: 'columns', columns: [simple, simple] }];
    const ofVariants = { variants: [{ content }, { name: 'B' }], test_share: 0.2, decide_by: 'opens', wait_hours: 4 };
    const validate = ajv.compile(inputSchema ?? false);
    expect([validate({ name: 'News', content, ab_test: ofVariants }), validate.errors]).toEqual([true, null]);
    const wrong = [
      { type: 'heading', level: 7, text },
      { type: 'paragraph' },
      { type: 'columns', columns: [simple] },
      { type: 'columns', columns: [simple, [{ type: 'columns', columns: [simple, simple] }]] },
      { type: 'video' },
    ];
    for (const block of wrong) expect([block, validate({ name: 'News', content: [block] })]).toEqual([block, false]);
    expect(JSON.stringify(inputSchema).match(/"const":"paragraph"/g)).toHaveLength(1);
  });

  it('has a reference of every route, with a limited size for all of it and for each chapter', () => {
    const { text, description, chapters } = catalog.reference;
    for (const route of routes) {
      expect(text).toContain(`\`${route.method} ${route.path}\``);
      expect(text).toContain(route.description[language]);
      for (const code of errorsOf(route)) expect(text).toContain(`\`${code}\``);
    }
    for (const name of [...promised, ...further]) expect(text).toContain(`\`${name}\``);
    expect(Buffer.byteLength(text) / routes.length).toBeLessThan(2500);
    const sizes = Object.values(chapters.ranges).map(([from, to]) => Buffer.byteLength(text.slice(from, to)));
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBeLessThan(40_000);
    expect(description).toContain(String(Math.ceil(Buffer.byteLength(text) / 1000)));
  });

  it('lists the fields of a campaign’s blocks once, and refers to them in columns', () => {
    expect(catalog.reference.text).toMatch(/^ {4}- `level` \(/m);
    expect(catalog.reference.text).toMatch(/^ {4}- `columns` .*\n {6}- (?:as above|comme ci-dessus)$/m);
  });

  it('says what each call takes, also one that takes a list', () => {
    expect(catalog.reference.text).not.toMatch(/^(Body|Corps) ?:\n\n/m);
    const ofBatch = /1–100 .*`POST \/api\/v1\/emails`/;
    expect(catalog.reference.text).toMatch(ofBatch);
  });

  it('mentions only existing tools', () => {
    const { instructions, prompts } = catalog;
    const words = [
      instructions,
      ...catalog.tools.map(({ description }) => description),
      ...prompts.map((one) => one.text),
    ];
    const named =
      words.join(' ').match(/`(?:get|list|add|remove|create|preview|send|update|delete|unschedule|verify)_\w+`/g) ?? [];
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => ![...promised, ...further].includes(name.slice(1, -1)))).toEqual([]);
  });
});

describe('a tool', () => {
  const send = toolNamed('send_email');
  const shape = { ...(send.route.request.body as z.ZodObject).shape };

  it('has a new field as soon as its route has it', () => {
    const priority = described(z.string().optional(), { en: 'How urgent it is.', fr: 'Son urgence.' });
    const body = z.object({ ...shape, priority });
    const tool = { ...send, route: { ...send.route, request: { ...send.route.request, body } } };
    expect(listedTool(tool, 'fr').inputSchema.properties?.priority).toEqual({
      type: 'string',
      description: 'Son urgence.',
    });
    expect(listedTool(send, 'fr').inputSchema.properties?.priority).toBeUndefined();
  });

  it('cannot have two arguments with the same name', () => {
    const body = z.object({ ...shape, idempotency_key: z.string() });
    const tool = { ...send, route: { ...send.route, request: { ...send.route.request, body } } };
    expect(() => listedTool(tool, 'en')).toThrow('two arguments called idempotency_key');
  });

  it('must have an answer that is an object', () => {
    const response = {
      status: 200,
      description: text({ en: 'A list.', fr: 'Une liste.' }),
      schema: z.array(z.string()),
    };
    const tool = { ...send, route: { ...send.route, responses: [response] } };
    expect(() => listedTool(tool, 'en')).toThrow('does not answer an object');
    expect(() => toolCall({ ...send, status: 299 })).toThrow('has no response 299');
  });
});
