import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { ownEnvironment } from '../acceptance/environment.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { clientName } from '../openapi/packedClient.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (page: string) => readFileSync(join(root, page), 'utf8');

/** The pages with commands, in the order in which a reader meets them. */
const pages = [
  'README.md',
  ...[
    'start',
    'send',
    'domains',
    'client',
    'resend',
    'people',
    'events',
    'automations',
    'runs',
    'simulation',
    'recipes',
    'frequency-cap',
    'imports',
    'campaigns',
    'webhooks',
    'not-arrived',
    'agents',
    'console',
    'command-line',
    'migrate',
    'deploy',
    // Last: from here on the clock is ahead.
    'clock',
  ].map((name) => `docs/${name}.md`),
];
const pagesIn = (folder: string) => readdirSync(join(root, 'docs', folder)).map((name) => `docs/${folder}/${name}`);
/** Pages that are a table to look things up in. */
const tables = ['docs/settings.md'];

const allPages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...['decisions', 'design'].flatMap(pagesIn),
];

interface Block {
  /** `sh`, or `csv people.csv` for a file that the page tells its reader to write. */
  readonly info: string;
  readonly text: string;
}

const blocksOf = (page: string): Block[] =>
  [...read(page).matchAll(/^```([a-z]+(?: \S+)?)\n([\s\S]*?)^```$/gm)].map(([, info = '', text = '']) => ({
    info,
    text,
  }));

describe('the commands of the documentation', () => {
  let clone: string;
  let service: TestService;
  /** The campaign or automation that was created last. */
  let created = '';
  beforeAll(async () => {
    clone = mkdtempSync(join(tmpdir(), 'mailroom-clone-'));
    const left = [
      'node_modules',
      '.git',
      '.mailroom',
      'cdk.out',
      'coverage',
      'docs/site',
      'openapi/client/node_modules',
    ];
    cpSync(root, clone, { recursive: true, filter: (source) => !left.includes(relative(root, source)) });
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    const exported = (name: string) => join(root, 'test', 'fixtures', 'exports', `${name}.csv`);
    for (const name of ['subscribed', 'unsubscribed', 'cleaned'])
      cpSync(exported(`mailchimp-${name}`), join(clone, `${name}_members_export.csv`));
    for (const name of ['listmonk', 'resend']) cpSync(exported(name), join(clone, `${name}.csv`));
    service = await startService({ dataDir: join(clone, '.mailroom'), clock: true });
  });
  afterAll(async () => {
    await service.stop();
    rmSync(clone, { recursive: true, force: true });
  });

  /** As a shell does it that stops at the first command that fails. Only the port is another one than the printed. */
  function run(script: string): Promise<string> {
    const env = ownEnvironment({ PATH: `${join(root, 'node_modules', 'node', 'bin')}:${process.env.PATH}` });
    return new Promise((done, failed) => {
      execFile('bash', ['-e', '-o', 'pipefail', '-c', script], { cwd: clone, env }, (error, stdout, stderr) =>
        error ? failed(new Error(`${error.message}\n${stdout}\n${stderr}`)) : done(stdout + stderr),
      );
    });
  }

  /** The commands of a block one after another; `ID` stands for what the last `create` of them created. */
  async function follow(block: string): Promise<void> {
    for (const command of block.split(/(?<!\\)\n/).filter((line) => line !== '')) {
      const script = command
        .replaceAll('http://127.0.0.1:8787', service.baseUrl)
        .replaceAll('http://127.0.0.1:8788', service.sesEndpoint)
        .replace(/\bID\b/, created);
      const printed = await run(script);
      expect(printed).not.toMatch(/^error:|"error"/m);
      if (/(campaign|automation) create/.test(command))
        [created = ''] = /(?<=Created |^Automation +)\S+/m.exec(printed) ?? [];
    }
  }

  it.each(pages)('work as %s prints them', async (page) => {
    for (const { info, text } of blocksOf(page)) {
      const [language = '', file] = info.split(' ');
      // The scope of the client is chosen by its publisher.
      if (file) writeFileSync(join(clone, file), text.replaceAll('@scope/mailroom-client', clientName));
      if (language === 'sh') await follow(text);
    }
  });

  it('run in this test unless they need AWS, start the service or are of another program', () => {
    const others = allPages.flatMap(blocksOf).filter(({ info }) => info === 'bash');
    for (const { text } of others)
      expect(text).toMatch(/^(npx cdk|aws|npm (start|run site)|claude|mailroom|npm run mailroom -- --stack)/);
    const inPages = pages.flatMap(blocksOf).filter(({ info }) => info === 'sh').length;
    expect(allPages.flatMap(blocksOf).filter(({ info }) => info === 'sh')).toHaveLength(inPages);
    expect(inPages).toBeGreaterThan(10);
  });
});

describe('the pages of the documentation', () => {
  it('lead to files and headings that are there', () => {
    const links = /(?:\]\(|src(?:set)?=")(?!https?:|mailto:|cid:)([^)"#\s]*)(?:#([^)"\s]*))?/g;
    const missing = allPages.flatMap((page) =>
      [...read(page).matchAll(links)].flatMap(([link, path = '', heading]) => {
        const target = path === '' ? page : join(dirname(page), path);
        const isRight = existsSync(join(root, target)) && (!heading || headingsOf(read(target)).includes(heading));
        return isRight ? [] : [`${page}: ${link}`];
      }),
    );
    expect(missing).toEqual([]);
  });

  it('have a README of 150 lines at most, and pages of 1,200 words', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150);
    const ofUsers = allPages.filter((page) => /^docs\/[a-z-]+\.md$/.test(page) && !tables.includes(page));
    expect(ofUsers.length).toBeGreaterThan(15);
    const long = ofUsers.filter((page) => read(page).split(/\s+/).length > 1200);
    expect(long).toEqual([]);
  });

  it('are all in the list of pages, in README and in llms.txt', () => {
    const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && name !== 'README.md');
    expect(pages.filter((name) => !read('docs/README.md').includes(`(${name})`))).toEqual([]);
    expect(pages.filter((name) => !read('llms.txt').includes(`(docs/${name})`))).toEqual([]);
    const links = [...read('llms.txt').matchAll(/\]\((.+?)\)/g)].map(([, path = '']) => path);
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('name files of the project that exist', () => {
    const named = allPages.flatMap((page) =>
      [...read(page).matchAll(/`((?:shared|functions|infra|test|docs|openapi|patches)\/[\w./-]*)`/g)].map(
        ([, path = '']) => [page, path] as const,
      ),
    );
    expect(named.filter(([, path]) => !existsSync(join(root, path)))).toEqual([]);
    expect(named.length).toBeGreaterThan(80);
  });

  it('explain the design on pages of 1,500 words, which their list names', () => {
    const pages = pagesIn('design');
    expect(pages.filter((page) => read(page).split(/\s+/).length > 1500)).toEqual([]);
    const list = read('docs/design/README.md');
    const unlisted = pages.filter((page) => !list.includes(`(${basename(page)})`) && !page.endsWith('README.md'));
    expect(unlisted).toEqual([]);
  });

  it('give each decision a number, a date, its context and its consequences, on 60 lines', () => {
    const decisions = pagesIn('decisions').filter((page) => !page.endsWith('README.md'));
    const list = read('docs/decisions/README.md');
    decisions.forEach((page, index) => {
      const text = read(page);
      expect(text).toMatch(
        new RegExp(
          `^# ${index + 1}\\. .+\n\n(\\d{4}-\\d\\d-\\d\\d)\n\n## Context\n[^]+\n## Decision\n[^]+\n## Consequences\n`,
        ),
      );
      expect([page, text.split('\n').length <= 60]).toEqual([page, true]);
      const date = /^\d{4}-\d\d-\d\d$/m.exec(text)?.[0];
      expect(list).toMatch(new RegExp(`^\\| ${date} \\| \\[.+\\]\\(${basename(page)}\\) \\|$`, 'm'));
    });
    expect(decisions.length).toBeGreaterThan(15);
  });
});

/** The anchors that GitHub gives to the headings of a page. */
const headingsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

it('says of each dependency why it is there', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json'));
  const named = [...read('docs/dependencies.md').matchAll(/^\| (.+?) +\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  const isNamed = (name: string) =>
    named.some((one) => one === name || (one.endsWith('/*') && name.startsWith(one.slice(0, -1))));
  const all = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies });
  expect(all.filter((name) => !isNamed(name))).toEqual([]);
});
