import { readFileSync } from 'node:fs';
import { Resend } from 'resend';

/** A heading of docs/resend.md. */
export type Section = 'At /api/resend' | 'At /api/v1';

/** The words between backticks that a section's tables have under a heading of a row. */
export function row(section: Section, name: string): string[] {
  const [, page = ''] = readFileSync('docs/resend.md', 'utf8').split(`\n## ${section}\n`);
  const [text = ''] = page.split('\n## ');
  const [, cells = ''] = new RegExp(`^\\| ${name} +\\|([^|]*)\\|`, 'm').exec(text) ?? [];
  return [...cells.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
}

type Group = Record<string, unknown>;
export type ClientMethod = (...given: unknown[]) => Promise<{
  data?: { id?: string } | null;
  error?: { name: string; statusCode: number | null; message: string } | null;
}>;

/** Every call that the client offers, by its name: `emails.send`, `emails.attachments.list`. */
export const methodsOfClient = (resend: Resend): ReadonlyMap<string, ClientMethod> =>
  new Map(
    Object.entries(resend)
      .filter(([, value]) => isGroup(value))
      .flatMap(([name, group]) => methodsOf(name, group as Group)),
  );

function methodsOf(name: string, group: Group): [string, ClientMethod][] {
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(group)).filter((one) => one !== 'constructor');
  const inner = Object.entries(group).filter(([key, value]) => key !== 'resend' && isGroup(value));
  return [
    ...own.map((one): [string, ClientMethod] => [`${name}.${one}`, (group[one] as ClientMethod).bind(group)]),
    ...inner.flatMap(([key, value]) => methodsOf(`${name}.${key}`, value as Group)),
  ];
}

const isGroup = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Resend) &&
  Object.getPrototypeOf(value) !== Object.prototype &&
  !(value instanceof Headers);

export const email = { from: 'hello@example.com', to: 'ada@example.net', subject: 'Hello', text: 'Hello' };

const kindsOfIds = ['email', 'contact', 'segment', 'webhook', 'event', 'inbox', 'thread', 'run', 'automation', 'label']
  .concat(['draft', 'broadcast', 'domain', 'attachment'])
  .map((kind) => `${kind}Id`);

/** An argument that fits every call. */
const anything = {
  ...email,
  ...Object.fromEntries(['id', 'key', 'email', 'name', ...kindsOfIds].map((name) => [name, 'x1'])),
  endpoint: 'http://127.0.0.1:9/',
  events: ['email.delivered'],
  topics: [],
  steps: [],
  connections: [],
  toString: () => 'x1',
};

const ownArguments: Readonly<Record<string, unknown>> = {
  'batch.send': [email],
  'batch.create': [email],
  'contacts.create': { email: 'ada@example.net' },
  'emails.metrics': {},
};

/** An argument for a call of which only the status matters. */
export const argumentFor = (name: string): unknown => ownArguments[name] ?? anything;

/** They do not call the service: parts of other calls, and the check of a webhook's signature. */
export const isLocal = (name: string): boolean =>
  /^contacts\.imports\.(build|append)|^emails\.receiving\.(forward|download)\w+|^webhooks\.verify$/.test(name);
