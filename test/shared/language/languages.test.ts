import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inEachLanguage, languageOf, languageTags, nameOfLanguage } from '../../../shared/language/languages.ts';

const root = join(import.meta.dirname, '..', '..', '..');

describe('languageOf', () => {
  it.each([
    ['fr-FR,fr;q=0.9,en;q=0.8', 'fr'],
    ['en-US,fr;q=0.9', 'en'],
    ['FR', 'fr'],
    [' fr-CA ;q=0.1, en', 'fr'],
    ['de,fr', 'en'],
    ['french', 'en'],
    ['*', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ])('of %j is %s: only the first preference counts', (header, language) => {
    expect(languageOf(header)).toBe(language);
  });

  it.each(languageTags)('is %s for its tag with any region', (tag) => {
    expect(languageOf(tag)).toBe(tag);
    expect(languageOf(`${tag}-XX`)).toBe(tag);
  });
});

describe('a language', () => {
  it('has a different name in each language', () => {
    const names = languageTags.map((tag) => inEachLanguage((writtenIn) => nameOfLanguage(tag, writtenIn)));
    expect(names).toEqual([
      { en: 'English', fr: 'anglais' },
      { en: 'French', fr: 'français' },
    ]);
  });
});

describe('an additional language', () => {
  const sources = globSync('{shared,functions,infra}/**/*.ts', { cwd: root });
  let copy: string;

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'mailroom-language-'));
    for (const name of ['shared', 'functions', 'infra', 'openapi', 'package.json', 'tsconfig.json']) {
      await cp(join(root, name), join(copy, name), { recursive: true });
    }
    await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
    const list = join(copy, 'shared', 'language', 'languages.ts');
    const source = await readFile(list, 'utf8');
    await writeFile(list, source.replace(/^( {2}fr: .*\n)/m, "$1  tlh: { locale: 'tlh' },\n"));
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  it('makes the compiler report every missing text, and nothing else', async () => {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '--singleThreaded'], { cwd: copy, encoding: 'utf8' });
    const errors = stdout.split('\n').filter((line) => line.includes('error TS'));
    expect(errors.filter((line) => !line.includes("error TS2741: Property 'tlh' is missing in type"))).toEqual([]);

    const named = Map.groupBy(errors, (line) => line.slice(0, line.indexOf('(')));
    const written = new Map<string, number>();
    for (const file of sources.filter((name) => name !== join('shared', 'language', 'languages.ts'))) {
      const texts = (await readFile(join(root, file), 'utf8')).match(/(?<![.\w])en(?=: |, fr)/g) ?? [];
      if (texts.length > 0) written.set(file, texts.length);
    }
    expect(Object.fromEntries([...named].map(([file, lines]) => [file, lines.length]))).toEqual(
      Object.fromEntries(written),
    );
    expect(errors.length).toBeGreaterThan(500);
  });
});
