import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formatsPlugin from 'ajv-formats';
import { generate } from '../../infra/openapi/generate.ts';
import { type ErrorCode, errorCodes } from '../../shared/contract/errors.ts';
import { routes } from '../../shared/contract/routes.ts';
import { inEachLanguage, languageTags } from '../../shared/language/languages.ts';
import { textsOf, walk } from './walk.ts';

const documents = inEachLanguage((language) => generate(routes, language));
const root = join(import.meta.dirname, '..', '..');

describe.each(languageTags)('the OpenAPI document in %s', (language) => {
  const document = documents[language];

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
    expect(document.info).toMatchObject({ version: '1.0.0' });
  });

  it('has no dangling reference and no unused component', () => {
    const references = new Set(
      [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference),
    );
    const components = document.components as Record<string, Record<string, unknown>>;
    const held = Object.entries(components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, members]) => Object.keys(members).map((name) => `#/components/${kind}/${name}`));
    expect([...references].sort()).toEqual(held.sort());
  });

  it('describes every field, parameter and header', () => {
    const bare = [...walk(document)].flatMap(({ path, node }) => {
      // A branch of `anyOf` is a condition; its fields are described elsewhere.
      if (/\.(properties|headers|anyOf\.\d+)$/.test(path)) return [];
      const fields = Object.entries((node.properties ?? {}) as Record<string, { description?: string }>);
      const headers = Object.entries((node.headers ?? {}) as Record<string, { description?: string; $ref?: string }>);
      return [
        ...fields.filter(([, field]) => !field.description).map(([name]) => `${path}.${name}`),
        ...headers.filter(([, header]) => !header.description && !header.$ref).map(([name]) => `${path}.${name}`),
        ...(node.in !== undefined && !node.description ? [path] : []),
      ];
    });
    expect(bare).toEqual([]);
  });

  it('declares the type of every field', () => {
    const kinds = ['type', '$ref', 'const', 'enum', 'anyOf', 'oneOf', 'allOf'];
    const shapeless = [...walk(document)].flatMap(({ path, node }) =>
      Object.entries((path.endsWith('.properties') ? {} : (node.properties ?? {})) as Record<string, object>)
        .filter(([, member]) => !kinds.some((kind) => kind in member))
        .map(([name]) => `${path}.${name}`),
    );
    expect(shapeless).toEqual([]);
  });

  it('contains no hidden field', () => {
    expect(JSON.stringify(document)).not.toContain('"hidden"');
    const attachment = [...walk(document)].find(({ path }) => path === 'components.schemas.Attachment.properties');
    expect(Object.keys(attachment?.node ?? {})).toEqual([
      'filename',
      'content',
      'upload_id',
      'content_type',
      'content_id',
    ]);
  });

  it('has only examples that its schemas accept', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
    formatsPlugin.default(ajv);
    ajv.addSchema({ ...document, $id: 'document' });
    // Compiled once for each schema: the same few errors occur in all responses.
    const validators = new Map<string, ValidateFunction>();
    const refused: unknown[] = [];
    let checked = 0;
    const check = (path: string, schema: unknown, example: unknown) => {
      checked += 1;
      const written = JSON.stringify(schema);
      const validate = validators.get(written) ?? ajv.compile(absolute(written));
      validators.set(written, validate);
      if (!validate(example)) refused.push({ path, example, errors: validate.errors });
    };
    for (const { path, node } of walk(document)) {
      if (Array.isArray(node.examples)) for (const example of node.examples) check(path, node, example);
      else if (node.schema) for (const example of examplesOf(document, node)) check(path, node.schema, example);
    }
    expect(refused).toEqual([]);
    expect(checked).toBeGreaterThan(50);
  });

  it('gives every body an example', () => {
    const bodies = [...walk(document)].filter(({ path }) =>
      /\.(requestBody|responses\.2\d\d)\.content\.application\/json$/.test(path),
    );
    expect(bodies.length).toBeGreaterThan(routes.length);
    expect(bodies.filter(({ node }) => node.example === undefined)).toEqual([]);
  });

  it('has the rate limit in every response, in those of the gateway only its maximum', () => {
    const responses = [...walk(document)].filter(({ path }) => /^paths\..*\.responses\.\d{3}$/.test(path));
    const rate = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];
    for (const { path, node } of responses) {
      const { headers } = resolved(document, node) as { headers: object };
      const known = path.endsWith('.413') ? rate.slice(0, 1) : rate;
      expect([path, Object.keys(headers)]).toEqual([path, expect.arrayContaining(known)]);
    }
    expect(responses.length).toBeGreaterThan(routes.length * 2);
  });
});

describe.each(languageTags)('examples in %s', (language) => {
  const document = documents[language];

  it('are never placeholders', () => {
    const examples = JSON.stringify([...walk(document)].flatMap(({ node }) => examplesOf(document, node)));
    const values = [...examples.matchAll(/"((?:[^"\\]|\\.)*)"(?!:)/g)].map(([, value]) => value);
    expect(values.length).toBeGreaterThan(1000);
    expect(values.filter((value) => /^(text|string|https:\/\/example\.com\/?)$/.test(value ?? ''))).toEqual([]);
  });

  it('show each error of each response, in the language of the document', () => {
    const { schemas, examples } = document.components as unknown as {
      schemas: { Error: { oneOf: { $ref: string }[] } };
      examples: Record<string, { value: { message: string } }>;
    };
    const { oneOf: errors } = schemas.Error;
    expect(Object.keys(examples)).toEqual(errors.map(({ $ref }) => $ref.split('/').at(-1)));
    const codes = Object.values(examples).map(({ value }) => value as unknown as { name: ErrorCode; message: string });
    for (const { name, message } of codes.filter((error) => error.name !== 'validation_error')) {
      expect(message).toBe(errorCodes[name].text[language]);
    }
    const responses = [...walk(document)].filter(({ path }) => /^paths\..*\.responses\.[45]\d\d$/.test(path));
    for (const { node } of responses) {
      const { content } = resolved(document, node) as { content: Record<string, Record<string, unknown>> };
      const media = content['application/json'] ?? {};
      const { oneOf = [media.schema] } = media.schema as { oneOf?: unknown[] };
      expect(examplesOf(document, media)).toHaveLength(oneOf.length);
    }
  });
});

describe.each(languageTags)('the description in %s', (language) => {
  it('has general chapters, and each group has a description', () => {
    const { info, tags } = documents[language] as { info: { description: string }; tags: { description?: string }[] };
    expect(info.description.match(/^## .+$/gm)).toHaveLength(5);
    for (const code of Object.keys(errorCodes)) expect(info.description).toContain(`| \`${code}\` |`);
    expect(info.description).not.toMatch(/\{\w+\}|undefined|NaN/);
    expect(tags.filter(({ description }) => !description)).toEqual([]);
  });
});

describe('the two documents', () => {
  it('have the same structure', () => {
    const shape = (document: unknown) => JSON.stringify(withoutTexts(document));
    expect(shape(documents.fr)).toBe(shape(documents.en));
  });

  it('share no text except words that are the same in both languages', () => {
    const french = textsOf(documents.fr);
    const same = [...textsOf(documents.en)].filter(([path, text]) => french.get(path) === text).map(([, text]) => text);
    expect(new Set(same)).toEqual(new Set());
  });

  it('hold every route of the contract', () => {
    const paths = documents.en.paths as Record<string, Record<string, { operationId: string }>>;
    const operations = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(operations.sort()).toEqual(routes.map(({ id }) => id).sort());
  });

  it('name the scope of a route in its security requirement', () => {
    const paths = documents.en.paths as Record<string, Record<string, { security: unknown }>>;
    expect(paths['/api/v1/emails']?.post?.security).toEqual([{ bearer: ['emails:send'] }]);
    expect(paths['/api/v1/me']?.get?.security).toEqual([{ bearer: [] }]);
    expect(paths['/api/v1']?.get?.security).toEqual([]);
  });

  it('require no key for webhooks, which the service itself calls', () => {
    const webhooks = Object.values(documents.en.webhooks as Record<string, { post: { security: unknown } }>);
    expect(webhooks.map(({ post }) => post.security)).toEqual(webhooks.map(() => []));
  });

  it('accept an email with html, with text or with both, and refuse one with neither', () => {
    const ajv = new Ajv2020({ strict: false }).addSchema({ ...documents.en, $id: 'document' });
    const validate = ajv.compile({ $ref: 'document#/components/schemas/EmailRequest' });
    const email = { from: 'hello@example.com', to: 'ada@example.net', subject: 'Hello' };
    const bodies = [{ html: '<p>1</p>' }, { text: '1' }, { html: '', text: '1' }, {}, { html: '' }, { text: null }];
    expect(bodies.map((body) => validate({ ...email, ...body }))).toEqual([true, true, true, false, false, false]);
  });
});

describe('npm run openapi -- --check', () => {
  const node = join(root, 'node_modules', 'node', 'bin', 'node');

  it('passes for what is committed', () => {
    const output = execFileSync(node, ['infra/openapi/write.ts', '--check'], { cwd: root, encoding: 'utf8' });
    expect(output).toContain('openapi/openapi.fr.json is what the contract says.');
  });

  it('fails with instructions when a committed document differs', () => {
    const { status, stderr } = spawnSync(
      node,
      ['infra/openapi/write.ts', '--check', '--folder', join(root, 'test', 'fixtures', 'openapi')],
      { cwd: root, encoding: 'utf8' },
    );
    expect(status).toBe(1);
    expect(stderr).toContain('run "npm run openapi" and commit the result');
  });
});

/** Resolves a reference of the document; other nodes are returned as they are. */
function resolved(document: object, node: Record<string, unknown>): unknown {
  if (typeof node.$ref !== 'string') return node;
  const path = node.$ref.slice(2).split('/');
  return path.reduce<unknown>((place, name) => (place as Record<string, unknown>)[name], document);
}

/** The examples of a schema or a body. */
function examplesOf(document: object, { example, examples = {} }: Record<string, unknown>): unknown[] {
  const given = example === undefined ? [] : [example];
  if (Array.isArray(examples)) return [...given, ...examples];
  const named = Object.values(examples as Record<string, Record<string, unknown>>);
  return [...given, ...named.map((node) => (resolved(document, node) as { value: unknown }).value)];
}

/** A part of the document, as JSON, with references into the whole document. */
function absolute(schema: string): object {
  return JSON.parse(schema.replaceAll('"$ref":"#/', '"$ref":"document#/'));
}

const words = ['description', 'summary', 'example', 'examples', 'title'];

/** The document without its texts: keys, types and limits. Tags are texts too. */
function withoutTexts(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutTexts);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key, value]) => !words.includes(key) || typeof value === 'object');
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      words.includes(key) || key === 'tags' ? Object.keys(value ?? {}) : withoutTexts(value),
    ]),
  );
}
