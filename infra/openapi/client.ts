import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The client of the API, a package with packages of its own: its generator needs another version of TypeScript. */
export const clientFolder = join(import.meta.dirname, '..', '..', 'openapi', 'client');

interface DocumentOfClient {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ClientOperation>>>>;
  readonly components: Readonly<Record<string, unknown>>;
}

interface ClientOperation {
  readonly parameters: readonly { readonly name?: string; readonly $ref?: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

/** The generated files of the client, by their paths in its folder `src/gen`. */
export function clientFiles(document: unknown): Map<string, string> {
  if (!existsSync(join(clientFolder, 'node_modules', '.package-lock.json'))) {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: clientFolder, stdio: 'ignore' });
  }
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-client-'));
  try {
    const input = join(folder, 'openapi.json');
    const output = join(folder, 'gen');
    writeFileSync(input, JSON.stringify(shortened(document as DocumentOfClient)));
    execFileSync(process.execPath, ['generate.mjs', input, output], { cwd: clientFolder, stdio: 'inherit' });
    const names = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const files = new Map(names.sort().map((name) => [name, readFileSync(join(output, name), 'utf8')]));
    // It names every type once more; the client has an index of its own.
    files.delete('index.ts');
    change(files, 'types.gen.ts', shortTypes);
    change(files, 'client/types.gen.ts', withEntries);
    return files.set('keyed.gen.ts', keyedCalls(document as DocumentOfClient));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function change(files: Map<string, string>, name: string, by: (text: string) => string): void {
  const before = files.get(name) ?? '';
  const after = by(before);
  if (after === before) throw new Error(`${name} of the generated client is not what infra/openapi/client.ts expects.`);
  files.set(name, after);
}

/**
 * Without what the client does itself: errors are thrown, the language is said once, and webhooks are read by
 * `verifyWebhook`, whose events are components.
 */
function shortened({ paths, components, ...document }: DocumentOfClient): unknown {
  const operations = Object.entries(paths).map(([path, methods]) => {
    const kept = Object.entries(methods).map(([method, { parameters, responses, ...operation }]) => [
      method,
      {
        ...operation,
        parameters: parameters.filter(({ $ref }) => $ref !== '#/components/parameters/Accept-Language'),
        responses: Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2'))),
      },
    ]);
    return [path, Object.fromEntries(kept)];
  });
  return { ...document, webhooks: undefined, components, paths: Object.fromEntries(operations) };
}

/**
 * One line for a comment of one line, and none for constants, for comments that repeat the name of a field, for the space
 * between types, and for unused aliases.
 */
const shortTypes = (text: string): string =>
  text
    .replaceAll(/\/\*\*\n\s*\* (.*)\n\s*\*\//g, '/** $1 */')
    .replaceAll(/\n *\/\*\* Always `[^`]*`\. \*\//g, '')
    .replaceAll(/\n *\/\*\* (\w+)\. \*\/(?=\n *(\w+)\??:)/g, (comment: string, word: string, name: string) =>
      word.toLowerCase() === name.toLowerCase() ? '' : comment,
    )
    .replaceAll(/\nexport type \w+Response = \w+Responses\[keyof \w+Responses\];\n/g, '')
    .replaceAll('\n\n', '\n');

/** The answer of a list is a promise of its first page, and every entry for `for await`. */
const withEntries = (text: string): string =>
  text
    .replace('export type RequestResult<', 'type PromisedResult<')
    .replace(/(type RequestFn = [^;]*?\) => )RequestResult</, '$1PromisedResult<')
    .concat(`
type Listed<TData> = Extract<TData[keyof TData], { object: 'list' }>;

type Entries<TData> = [Listed<TData>] extends [never]
  ? unknown
  : Listed<TData> extends { data: (infer Entry)[] } ? AsyncIterable<Entry> : unknown;

export type RequestResult<
  TData = unknown,
  TError = unknown,
  ThrowOnError extends boolean = boolean,
  TResponseStyle extends ResponseStyle = 'fields',
> = PromisedResult<TData, TError, ThrowOnError, TResponseStyle> & Entries<TData>;
`);

/** The POST calls that take an `Idempotency-Key`. */
function keyedCalls({ paths }: DocumentOfClient): string {
  const isKeyed = ({ parameters }: ClientOperation) =>
    parameters.some(({ name, $ref }) => name === 'Idempotency-Key' || $ref?.endsWith('/IdempotencyKey'));
  const keyed = Object.entries(paths).filter(([, { post }]) => post && isKeyed(post));
  const lines = keyed.map(([path]) => `  '${path}',\n`).join('');
  return `/** The paths of POST calls that take an \`Idempotency-Key\`. */\nexport const keyedCalls: ReadonlySet<string> = new Set([\n${lines}]);\n`;
}
