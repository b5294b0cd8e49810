import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { routes } from '../../shared/contract/routes.ts';
import { languageTags } from '../../shared/language/languages.ts';
import { dollarsOfMethod, type FloodKind, floods } from '../bench/costs/flood.ts';

process.env.PUBLIC_URL = 'https://mail.example.com';
const root = join(import.meta.dirname, '..', '..');
const handbook = readFileSync(join(root, 'docs', 'incidents.md'), 'utf8');

let dollars: Readonly<Record<FloodKind, number>>;
let all: number;

beforeAll(async () => {
  const { showReference } = await import('../../shared/pages/reference/referencePage.ts');
  const chapters = ['', 'events', 'objects', ...routes.map(({ group }) => group)];
  const addresses = languageTags.flatMap((parameter) => chapters.map((chapter) => ({ parameter, chapter })));
  const pages = addresses.map(async (address) => {
    const { document } = await showReference({ ...address, language: 'en' } as Parameters<typeof showReference>[0]);
    return Buffer.byteLength(document.toString());
  });
  const documents = languageTags.map(async (tag) => {
    const text = await readFile(join(root, 'openapi', `openapi.${tag}.json`), 'utf8');
    return Buffer.byteLength(JSON.stringify(JSON.parse(text)));
  });
  const [page, document] = [Math.max(...(await Promise.all(pages))), Math.max(...(await Promise.all(documents)))];
  const sums = floods(({ id }) => {
    if (id.startsWith('reference.')) return document;
    return id.startsWith('pages.reference') ? page : undefined;
  });
  const { open, key, console, others } = sums;
  dollars = {
    open: open.dollarsPerHour,
    key: key.dollarsPerHour,
    console: console.dollarsPerHour,
    others: others.dollarsPerHour,
  };
  all = Object.values(dollars).reduce((sum, one) => sum + one, 0);
});

/** The number in the handbook is no less than what is computed, and not much more. */
function expectQuoted(sentence: RegExp, computed: number) {
  const quoted = Number(sentence.exec(handbook)?.[1]);
  expect([sentence.source, quoted >= computed, quoted <= 1.3 * computed, computed]).toEqual([
    sentence.source,
    true,
    true,
    computed,
  ]);
}

describe('a flood of calls without a key', () => {
  it('of what is open to anybody costs less than $21 on the worst day', () => {
    expect(dollars.open * 24).toBeLessThan(21);
  });

  it('costs in an hour what the manual says, until an operator acts', () => {
    expectQuoted(/\| open to anybody: .* \| (\S+) \|/, dollars.open);
    expectQuoted(/\| methods that want a key, .* \| (\S+) \|/, dollars.key);
    expectQuoted(/\| the console, .* \| (\S+) \|/, dollars.console);
    expectQuoted(/\| methods and paths that do not exist, .* \| (\S+) \|/, dollars.others);
    expectQuoted(/\| all at once \| (\S+) \|/, all);
    expectQuoted(/a tenth: at most \$(\S+) an hour/, all / 10);
  });

  it('costs more with each route to come, as the handbook says', () => {
    expectQuoted(/adds \$(\S+) an hour \(`routes`\)/, dollarsOfMethod('routes'));
    expectQuoted(/, \$(\S+) \(`lookups`\)/, dollarsOfMethod('lookups'));
    expectQuoted(/ or \$(\S+) \(`administration`\)/, dollarsOfMethod('administration'));
  });
});
