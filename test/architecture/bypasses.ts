import { parseSync } from '@swc/core';

/** A way around the import rules, or around a rule that a folder must keep. */
interface Bypass {
  readonly name: string;
  readonly reason: string;
  /** Whether a file may use it. */
  readonly isAllowed: (path: string) => boolean;
  /** True for a syntax node that is one. */
  readonly matches: (place: Position) => boolean;
}

interface Position {
  readonly node: SyntaxNode;
  readonly parent: SyntaxNode | undefined;
  /** Names that the file declares itself. */
  readonly declared: ReadonlySet<string>;
}

/** Syntax nodes as swc gives them: plain data, told apart by their `type`. */
// biome-ignore lint/suspicious/noExplicitAny: some 200 kinds of node, of which ten are looked at
type SyntaxNode = any;

const within =
  (...folders: readonly string[]) =>
  (path: string) =>
    folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

const holdsPureRules = within('shared/domain', 'shared/contract', 'shared/language');

/** What they make must be unpredictable. */
const makesIdentifiers = within('shared/domain/identifier.ts', 'shared/domain/token.ts');

const loadsUnseen = 'loads a module that the import rules do not see';
const changesResult = 'makes the result depend on when and where it runs: the caller passes it in';
const goesAroundOutbound = 'goes around the checks of shared/outbound, which refuses private addresses';
const mayUseNetwork = within(
  'shared/outbound',
  'shared/identity',
  'shared/console/browser',
  'shared/pages/reference/internal/browser',
  'functions/cli',
  'infra/local',
  'test',
  'docs/receivers',
  'openapi/client',
);

/** Other programs, and what runs in a browser: their time is the machine's. */
const readsMachineClock = within(
  'shared/platform/clock.ts',
  'infra/local/messaging/messagingThread.ts',
  'shared/console/browser',
  'shared/pages/reference/internal/browser',
  'infra/local/ses/inbox/browser',
  'test',
  'docs',
  'openapi/client',
  '.ci',
  '.github',
);
/** Requests to AWS, and to the receivers of webhooks. */
const signsByMachineClock = within(
  'shared/platform/clock.ts',
  'shared/store/files/internal/signedRequest.ts',
  'shared/services/webhooks/internal/endpoint.ts',
  'infra/local/s3/server.ts',
  'test',
);

/** Parts of `process` that load code. */
const processLoaders = ['getBuiltinModule', 'binding', '_linkedBinding', 'dlopen', 'mainModule'];
const requests = ['fetch', 'WebSocket', 'EventSource'];
const impure = ['process', 'performance', 'crypto', 'setTimeout', 'setInterval', 'setImmediate'];

const bypasses: readonly Bypass[] = [
  {
    name: 'createRequire',
    reason: loadsUnseen,
    isAllowed: within('infra', 'test'),
    matches: ({ node }) => isNamed(node, ['createRequire']),
  },
  {
    name: 'node:module',
    reason: `${loadsUnseen}: only SourceMap may be imported from it`,
    isAllowed: within('infra', 'test'),
    matches: ({ node }) =>
      node.type === 'ImportDeclaration' &&
      ['node:module', 'node:repl'].includes(node.source.value) &&
      node.specifiers.some(({ type, local }: SyntaxNode) => type !== 'ImportSpecifier' || local.value !== 'SourceMap'),
  },
  {
    name: 'node:vm',
    reason: 'runs text as code',
    isAllowed: within('shared/platform/memory.ts', 'functions/cli/steadyMemory.ts', 'test'),
    matches: ({ node }) => node.type === 'ImportDeclaration' && node.source.value === 'node:vm',
  },
  {
    name: 'a loader of process',
    reason: loadsUnseen,
    isAllowed: within('test/architecture'),
    matches: ({ node }) =>
      isNamed(node, ['getBuiltinModule']) ||
      (node.type === 'MemberExpression' && processLoaders.includes(memberOf(node, 'process') ?? '')),
  },
  {
    name: 'process or its fields by a computed name',
    reason: 'hides which of its fields is used',
    isAllowed: within('infra', 'functions/cli', 'test', 'docs/receivers', '.ci'),
    matches: ({ node, parent, declared }) => isGlobal(node, declared, 'process') && staticMember(parent, node) === null,
  },
  {
    name: 'a worker of another name or with a computed or plain path',
    reason: 'starts a file that the import rules do not see: write new Worker(new URL(path, import.meta.url))',
    // The URL is made by the callers, as the type of the parameter requires.
    isAllowed: within('infra/local/engine/engineThread.ts', 'test'),
    matches: ({ node, parent }) =>
      (node.type === 'ImportDeclaration' && node.source.value === 'node:worker_threads' && isRenaming(node)) ||
      (node.type === 'Identifier' &&
        node.value === 'Worker' &&
        parent?.type !== 'ImportSpecifier' &&
        !(isConstructor(parent, node) && isUrlOfText(parent.arguments?.[0]?.expression))),
  },
  {
    name: 'eval and Function',
    reason: 'runs text as code',
    isAllowed: within('test'),
    matches: ({ node, parent, declared }) =>
      isGlobal(node, declared, 'eval', 'Function') && parent?.type !== 'ImportSpecifier',
  },
  {
    name: 'the global object',
    reason: 'hides which global is used',
    isAllowed: within('test', 'shared/console/browser'),
    matches: ({ node, declared }) => isGlobal(node, declared, 'globalThis', 'global'),
  },
  {
    name: 'sendEnvelope',
    reason: 'reaches SES around the hold of all sending: call submitEnvelope of shared/services/sendingHold.ts',
    isAllowed: within('shared/services/sendingHold.ts', 'shared/email', 'test'),
    matches: ({ node }) => node.type === 'Identifier' && node.value === 'sendEnvelope',
  },
  {
    name: 'sendBulk',
    reason: 'reaches SES around the hold of all sending: call submitBulk of shared/services/campaigns',
    isAllowed: within('shared/services/campaigns/internal/submitBulk.ts', 'shared/email', 'test'),
    matches: ({ node }) => node.type === 'Identifier' && node.value === 'sendBulk',
  },
  {
    name: 'SendEmailCommand and SendBulkEmailCommand',
    reason: 'reaches SES around the hold of all sending, and around what is known of calls without an answer',
    isAllowed: within('shared/email', 'infra/local', 'test'),
    matches: ({ node }) => node.type === 'Identifier' && /^Send(Bulk)?EmailCommand$/.test(node.value),
  },
  {
    name: 'a global that makes requests',
    reason: goesAroundOutbound,
    isAllowed: mayUseNetwork,
    matches: ({ node, declared }) => isGlobal(node, declared, ...requests),
  },
  {
    name: 'the environment, timers or chance in a pure rule',
    reason: changesResult,
    isAllowed: (path) => !holdsPureRules(path),
    matches: ({ node, declared }) => isGlobal(node, declared, ...impure),
  },
  {
    name: 'chance of node:crypto in a pure rule',
    reason: changesResult,
    isAllowed: (path) => !holdsPureRules(path) || makesIdentifiers(path),
    matches: ({ node }) =>
      node.type === 'ImportDeclaration' &&
      node.source.value === 'node:crypto' &&
      node.specifiers.some(
        ({ type, local, imported }: SyntaxNode) =>
          type !== 'ImportSpecifier' || /random|crypto/i.test((imported ?? local).value),
      ),
  },
  {
    name: "the machine's clock",
    reason: 'goes around shared/platform/clock.ts, the only source of time: call now(), or take the time as a value',
    isAllowed: readsMachineClock,
    matches: ({ node, parent, declared }) =>
      isGlobal(node, declared, 'Temporal') ||
      (isGlobal(node, declared, 'Date') &&
        !['parse', 'UTC'].includes(staticMember(parent, node) ?? '') &&
        !(isConstructor(parent, node) && (parent.arguments ?? []).length > 0) &&
        !(parent?.type === 'BinaryExpression' && parent.operator === 'instanceof')),
  },
  {
    name: 'machineTime',
    reason: "is the machine's time, for signatures that another party compares with its own clock: call now()",
    isAllowed: signsByMachineClock,
    matches: ({ node }) => node.type === 'Identifier' && node.value === 'machineTime',
  },
  {
    name: 'runAhead',
    reason: 'moves the time of the whole process, which only the local service does',
    isAllowed: within('shared/platform/clock.ts', 'infra/local/clock', 'infra/local/engine/engineThread.ts', 'test'),
    matches: ({ node }) => node.type === 'Identifier' && node.value === 'runAhead',
  },
  {
    name: 'Math.random in a pure rule',
    reason: changesResult,
    isAllowed: (path) => !holdsPureRules(path),
    matches: ({ node, parent, declared }) =>
      isGlobal(node, declared, 'Math') && [null, 'random'].includes(staticMember(parent, node)),
  },
];

/** Every bypass in a file that its folder does not allow, as a sentence. */
export function bypassesOf(path: string, source: string): string[] {
  const module = parseSync(source, { syntax: 'typescript', target: 'es2024' });
  const declared = new Set<string>();
  visit(module, undefined, (node) => collectDeclared(node, declared));
  const found = new Set<string>();
  visit(module, undefined, (node, parent) => {
    for (const { name, reason, isAllowed, matches } of bypasses)
      if (!isAllowed(path) && matches({ node, parent, declared })) found.add(`${path}: ${name} ${reason}`);
  });
  return [...found];
}

const isNamed = ({ type, value }: SyntaxNode, names: readonly string[]): boolean =>
  (type === 'Identifier' || type === 'StringLiteral') && names.includes(value);

const isGlobal = ({ type, value }: SyntaxNode, declared: ReadonlySet<string>, ...names: readonly string[]): boolean =>
  type === 'Identifier' && names.includes(value) && !declared.has(value);

/** The property read from one of these globals, written with a dot or in brackets. */
function memberOf(node: SyntaxNode, ...globals: readonly string[]): string | undefined {
  const { object } = node;
  if (object?.type !== 'Identifier' || !globals.includes(object.value)) return undefined;
  return staticMember(node, object) ?? undefined;
}

/** The property that `parent` reads from `node` by a name in the text; null when it does something else with it. */
function staticMember(parent: SyntaxNode, node: SyntaxNode): string | null {
  if (parent?.type !== 'MemberExpression' || parent.object !== node) return null;
  const { property } = parent;
  if (property.type !== 'Computed') return property.value;
  return property.expression.type === 'StringLiteral' ? property.expression.value : null;
}

/** An import under another name, or of the whole module. */
const isRenaming = ({ specifiers }: SyntaxNode): boolean =>
  specifiers.some(({ type, imported }: SyntaxNode) => type !== 'ImportSpecifier' || imported);

const isConstructor = (parent: SyntaxNode, node: SyntaxNode): boolean =>
  parent?.type === 'NewExpression' && parent.callee === node;

/** `new URL('./file.ts', …)`. */
const isUrlOfText = (node: SyntaxNode): boolean =>
  node?.type === 'NewExpression' &&
  node.callee.value === 'URL' &&
  node.arguments?.[0]?.expression.type === 'StringLiteral';

/** Names that the file declares itself, so that they are not the global ones. */
function collectDeclared(node: SyntaxNode, declared: Set<string>): void {
  const binding = (pattern: SyntaxNode): void => {
    if (pattern?.type === 'Identifier') declared.add(pattern.value);
    else if (pattern?.type === 'ObjectPattern')
      for (const { type, key, value } of pattern.properties)
        binding(type === 'AssignmentPatternProperty' ? key : value);
  };
  if (node.type === 'VariableDeclarator') binding(node.id);
  if (node.type === 'FunctionDeclaration') binding(node.identifier);
  if (node.type === 'Parameter') binding(node.pat);
  if (node.type === 'ArrowFunctionExpression') for (const parameter of node.params) binding(parameter);
  if (/^Import.*Specifier$/.test(node.type)) binding(node.local);
}

type Look = (node: SyntaxNode, parent: SyntaxNode | undefined) => void;

/** Calls `look` for each node that stands for a value: names of properties are left out, types too. */
function visit(node: SyntaxNode, parent: SyntaxNode | undefined, look: Look): void {
  if (node === null || typeof node !== 'object') return;
  let holder = parent;
  if (typeof node.type === 'string') {
    if (node.type.startsWith('Ts') && !/^Ts(As|NonNull|Satisfies|Const)/.test(node.type)) return;
    look(node, parent);
    holder = node;
  }
  for (const [name, child] of Object.entries(node)) {
    const isPropertyName =
      (name === 'property' || name === 'key') && (child as SyntaxNode)?.type === 'Identifier' && !isLoader(child);
    if (!isPropertyName) visit(child, holder, look);
  }
}

/** Names that are refused as properties too: `module.createRequire`, `process.getBuiltinModule`. */
const isLoader = ({ value }: SyntaxNode): boolean => value === 'createRequire' || value === 'getBuiltinModule';
