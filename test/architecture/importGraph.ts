import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from '@swc/core';

/** Source files by their path in the project, `/` between its parts. */
export type Sources = ReadonlyMap<string, string>;

export interface Import {
  /** The importing file. */
  readonly from: string;
  /** A file of the project by its path; anything else as it is written: `node:fs`, `@aws-sdk/client-sqs`. */
  readonly to: string;
}

/** Stands for the rest of a name that is only known when it runs. */
export const computed = '…';

const root = join(import.meta.dirname, '..', '..');

/** Written by the generator of the client. */
const generated = 'openapi/client/src/gen/';

/** Every TypeScript and JavaScript file that git knows or would take, as it is on disk; none that is generated. */
export function readSources(): Sources {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.mjs', '*.js'], { cwd: root });
  const paths = listed
    .toString()
    .split('\n')
    .filter((path) => path !== '' && !path.startsWith(generated));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/**
 * All that a file names: imports and exports, of types too and in its comments, dynamic imports, and threads started from
 * a file.
 */
export const importsOf = (path: string, source: string): Import[] => [
  ...namedIn(path, source, specifierOf),
  ...namedInComments(path, source),
];

/** The types that a comment imports, by which the compiler checks JavaScript, and files that it refers to. */
const inComment =
  /^\s*\/\/\/\s*<reference\s+path\s*=\s*["']([^"']+)|@import\s[^'"\n]*["']([^"']+)|\{[^'"`{}\n]*\bimport\(\s*["']([^"']+)/gm;

function namedInComments(path: string, source: string): Import[] {
  // Tests hold such comments in texts.
  if (path.startsWith('test/')) return [];
  return [...source.matchAll(inComment)].map(([, file, imported, type]) => {
    const specifier = file ?? imported ?? type ?? '';
    return { from: path, to: resolved(path, file === undefined || file.startsWith('.') ? specifier : `./${file}`) };
  });
}

/** What is loaded when a file runs: `importsOf` without types. */
export const runtimeImportsOf = (path: string, source: string): Import[] =>
  namedIn(path, source, (node) => (node.typeOnly || node.type === 'TsImportType' ? undefined : specifierOf(node)));

function namedIn(path: string, source: string, specifierIn: typeof specifierOf): Import[] {
  const specifiers = new Set<string>();
  collect(parseSync(source, { syntax: 'typescript', target: 'es2024' }), specifiers, specifierIn);
  return [...specifiers].map((specifier) => ({ from: path, to: resolved(path, specifier) }));
}

function resolved(path: string, specifier: string): string {
  return specifier.startsWith('.') ? normalize(join(dirname(path), specifier)) : specifier;
}

/** Syntax nodes as swc gives them: plain data, told apart by their `type`. */
// biome-ignore lint/suspicious/noExplicitAny: some 200 kinds of node, of which seven are looked at
type SyntaxNode = any;

function collect(node: SyntaxNode, specifiers: Set<string>, specifierIn: typeof specifierOf): void {
  if (node === null || typeof node !== 'object') return;
  const named = specifierIn(node);
  if (typeof named === 'string') specifiers.add(named);
  for (const child of Object.values(node)) collect(child, specifiers, specifierIn);
}

function specifierOf(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node.source?.value;
    case 'TsImportType':
      return node.argument.value;
    case 'TsExternalModuleReference':
      return node.expression.value;
    case 'CallExpression':
      return isLoading(node.callee) ? firstText(node) : undefined;
    case 'NewExpression':
      return node.callee.value === 'URL' && firstText(node).startsWith('.') ? firstText(node) : undefined;
    default:
      return undefined;
  }
}

const isLoading = (callee: SyntaxNode): boolean =>
  callee.type === 'Import' || callee.value === 'require' || callee.object?.kind === 'import.meta';

function firstText({ arguments: [first] }: SyntaxNode): string {
  const { type, value, quasis } = first?.expression ?? {};
  if (type === 'StringLiteral') return value;
  if (type !== 'TemplateLiteral') return computed;
  return quasis.length === 1 ? quasis[0].cooked : quasis[0].cooked + computed;
}
