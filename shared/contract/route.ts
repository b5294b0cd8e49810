import type * as z from 'zod';
import type { Text } from '../language/text.ts';
import type { ErrorCode, Issue } from './errors.ts';
import type { Scope } from './scopes.ts';

/**
 * `raw`: sends MIME; `bulk`: sends one template to up to 50 destinations a call; `account`: asks for the rate and the day
 * that SES allows; `identity`: asks what SES knows of a domain; `domains`: makes SES know one; `suppressed`: takes an address
 * off SES's own list. Each is permissions of its own.
 */
export type EmailUse = 'raw' | 'bulk' | 'account' | 'identity' | 'domains' | 'suppressed';

/**
 * What is done with the bucket of files. Uploads are what a caller attaches to an email later; bodies are those of emails
 * that go out later; `erase` lists and deletes the files of a workspace. Of an import the console takes the pieces
 * (`writeImport`) and looks at them (`readImport`), a worker reads them and reports (`runImport`). Each is permissions of
 * its own.
 */
export type FileUse =
  | ('writeUpload' | 'readUpload' | 'writeBody' | 'readBody' | 'deleteBody' | 'erase')
  | ('writeImport' | 'readImport' | 'runImport' | 'writeExport' | 'readExport');

/** What a function touches; the CDK app grants exactly this and nothing more. */
export interface Needs {
  readonly table?: 'read' | 'readWrite';
  /** Patterns of the only partition keys that it may touch (`dynamodb:LeadingKeys`); all when left out. */
  readonly tablePartitions?: readonly string[];
  /** Of a function that reads the table: patterns of the only partition keys that it puts and updates items under. */
  readonly writtenPartitions?: readonly string[];
  /** Goes through the whole table, which no call that somebody waits for does. */
  readonly tableScan?: boolean;
  /** How it uses SES, always with the service's configuration set. */
  readonly email?: readonly EmailUse[];
  readonly files?: readonly FileUse[];
  /** Names from infra/resources.ts that it sends messages to. */
  readonly queues?: readonly string[];
  /** Names of queues whose length, and that of their dead letters, it asks for. */
  readonly watchedQueues?: readonly string[];
  /** Names of queues whose dead letters it looks at, and leaves where they are. */
  readonly inspectedQueues?: readonly string[];
  /** Names of queues that it puts their dead letters back on. */
  readonly redrivenQueues?: readonly string[];
  /** Creates one-time schedules that put a message on a queue. */
  readonly scheduler?: boolean;
  /** Reads the service secret. */
  readonly secret?: boolean;
  /** Reads the secret that the operators' provider gave this service, where it gave one. */
  readonly providerSecret?: boolean;
  /** Makes and deletes operators' accounts, where the deployment keeps them. */
  readonly users?: boolean;
}

export interface FunctionDefinition {
  /** The file that Lambda starts, from the root of the project. */
  readonly entry: string;
  readonly memoryMegabytes?: number;
  readonly timeoutSeconds?: number;
}

export interface ResponseDefinition {
  readonly status: number;
  readonly description: Text;
  readonly schema: z.ZodType;
  readonly headers?: Readonly<Record<string, Text>>;
  readonly example?: unknown;
}

export interface ListDefinition {
  /** More entries than this are not looked at. */
  readonly mostEntries: number;
  /** The header, and its value, by which a caller lets the good entries pass without the others. */
  readonly permissive: readonly [header: string, value: string];
}

/** How one way to succeed looks on the wire. */
interface OutcomeDefinition {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Routes that belong together, as a chapter of the reference. */
export interface Group {
  readonly name: Text;
  readonly description: Text;
}

/** One endpoint of the contract. Everything that must know about it is a loop over these. */
export interface Route {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly group: Group;
  readonly summary: Text;
  readonly description: Text;
  /** `public`: no key needed. `key`: any key. Else the scope that the key must carry. */
  readonly access: 'public' | 'key' | Scope;
  /** True where scripts of any web page may read the answer. */
  readonly crossOrigin?: boolean;
  readonly request: {
    readonly path?: z.ZodObject;
    readonly query?: z.ZodObject;
    readonly headers?: z.ZodObject;
    /** Mostly an object; a list's verb is given its `entries`. */
    readonly body?: z.ZodType;
    /** Of a body that is a list. */
    readonly list?: ListDefinition;
    /** True when the call may come without any body. */
    readonly bodyOptional?: boolean;
    readonly example?: unknown;
  };
  readonly responses: readonly ResponseDefinition[];
  /** Ways to succeed that differ in status or headers, by the name that the verb gives its result; else there is one. */
  readonly outcomes?: Readonly<Record<string, OutcomeDefinition>>;
  readonly errors: readonly ErrorCode[];
  readonly needs: Needs;
  readonly function: FunctionDefinition;
}

type Parsed<T> = T extends z.ZodType ? z.output<T> : unknown;
type HeaderFields<T> = T extends z.ZodType
  ? { [Name in keyof z.output<T> as CamelCase<Name>]: z.output<T>[Name] }
  : unknown;
type CamelCase<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name;
/** One of a body that is a list: parsed, or with what is wrong with it, by paths inside of it. */
export type Entry<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly given: unknown; readonly issues: readonly Issue[] };
type BodyFields<T> =
  T extends z.ZodArray<infer Each> ? { readonly entries: readonly Entry<z.output<Each>>[] } : Parsed<T>;
type Flat<T> = { [Name in keyof T]: T[Name] };

/**
 * What a route's verb is given: path, query, headers (in camelCase) and body as one object, parsed. A list's verb gets,
 * in place of the cursor, the position `after` which its page begins.
 */
export type Input<R extends Route> = Flat<
  Parsed<R['request']['path']> &
    Positioned<Parsed<R['request']['query']>> &
    HeaderFields<R['request']['headers']> &
    BodyFields<R['request']['body']>
>;
type Positioned<Query> = Query extends { cursor?: string | undefined }
  ? Omit<Query, 'cursor'> & { readonly after: string | undefined }
  : Query;

/** A value as it is shown: what a schema declares, and nobody changes it. */
export type Shown<T> = T extends readonly (infer Entry)[]
  ? readonly Shown<Entry>[]
  : T extends object
    ? { readonly [Name in keyof T]: Shown<T[Name]> }
    : T;

/** The body of a route's answer, as its schema declares it. */
export type Output<R extends Route> = Shown<z.output<R['responses'][number]['schema']>>;

/** One page of a list; `next` is the position after which the following one begins, null on the last. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

/** What a route's verb answers: a page for a list, the output with its outcome where there are several, else the output. */
export type Result<R extends Route> =
  Output<R> extends { readonly object: 'list'; readonly data: readonly (infer Entry)[] }
    ? Page<Entry>
    : R extends { readonly outcomes: infer Outcomes }
      ? { readonly outcome: keyof Outcomes & string; readonly output: Output<R> }
      : Output<R>;
