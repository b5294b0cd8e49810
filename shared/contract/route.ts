import type * as z from 'zod';
import type { Text } from '../language/text.ts';
import type { ErrorCode, Issue } from './errors.ts';
import type { GroupName } from './groups.ts';
import type { RouteAccess } from './scopes.ts';

/**
 * A set of SES permissions. `raw`: sends MIME messages. `bulk`: sends a template to up to 50 destinations a call.
 * `account`: reads sending rate and daily quota. `identity`: reads a domain identity. `domains`: creates and configures
 * one; `domainRemoval` deletes one. `suppressed`: removes addresses from the suppression list of SES.
 */
export type EmailUse = 'raw' | 'bulk' | 'account' | 'identity' | 'domains' | 'domainRemoval' | 'suppressed';

/**
 * A set of permissions on the bucket of files. Uploads are files to attach; bodies are those of scheduled emails. `erase`
 * lists and deletes the files of a workspace. The console writes the parts of an import (`writeImport`) and shows them
 * (`readImport`); a worker reads them and writes the report (`runImport`), which `readReport` lets download. The archive
 * has the copies of emails: a worker writes, erases and deletes them (`runArchive`).
 */
export type FileUse =
  | ('writeUpload' | 'readUpload' | 'writeBody' | 'readBody' | 'deleteBody' | 'erase')
  | ('writeImport' | 'readImport' | 'readReport' | 'runImport' | 'writeExport' | 'readExport')
  | ('readArchive' | 'runArchive');

/** The permissions of a function: the CDK app grants exactly these. */
export interface Needs {
  readonly table?: 'read' | 'readWrite';
  /** Patterns of the partition keys that it may access (`dynamodb:LeadingKeys`). Default: all. */
  readonly tablePartitions?: readonly string[];
  /** For a function that reads the table: patterns of the partition keys under which it may put and update items. */
  readonly writtenPartitions?: readonly string[];
  /** Scans the whole table. Never for a call of the API. */
  readonly tableScan?: boolean;
  /** Its uses of SES, limited to the configuration set of the service. */
  readonly email?: readonly EmailUse[];
  readonly files?: readonly FileUse[];
  /** Queues that it sends messages to, by their names in infra/resources.ts. */
  readonly queues?: readonly string[];
  /** Queues of which it reads the length, and that of the queues behind them. */
  readonly watchedQueues?: readonly string[];
  /** Queues whose dead letters it reads without removing them. */
  readonly inspectedQueues?: readonly string[];
  /** Queues to which it moves dead letters back. */
  readonly redrivenQueues?: readonly string[];
  /** Queues of SES's events to which it moves what SNS could not deliver. */
  readonly refilledQueues?: readonly string[];
  /** Creates and deletes one-time schedules that send a message to a queue; `delete`: only deletes them. */
  readonly scheduler?: boolean | 'delete';
  /** Reads the service secret. */
  readonly secret?: boolean;
  /** Signs operators in: reads the secret of the console, and may write who is an operator. Never for a call of the API. */
  readonly consoleSecret?: boolean;
  /** Reads the client secret of the operators' identity provider. */
  readonly providerSecret?: boolean;
  /** Creates and deletes operators in the user pool, if the deployment has one. */
  readonly users?: boolean;
}

/**
 * The throttle class of a method (`throttles` of the settings). `routes`: what an application calls for each of its
 * users, sending above all. `lookups`: reading and changing them. `administration` of a workspace. `pages` for people;
 * `leaving` for unsubscribing. `documents`: large, equal for everybody, cacheable. `console`. `others`: what is rarely
 * called, HEAD and unknown paths.
 */
export type Throttle =
  | 'routes'
  | 'lookups'
  | 'administration'
  | 'pages'
  | 'leaving'
  | 'documents'
  | 'console'
  | 'others';

export interface FunctionDefinition {
  /** Path of the entry file, from the root of the project. */
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
  /** Longer lists are refused without looking at further entries. */
  readonly maxEntries: number;
  /** With this header and value, valid entries are processed although others are refused. */
  readonly permissive?: readonly [header: string, value: string];
}

/** Status and headers of one kind of success. */
interface OutcomeDefinition {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One endpoint of the REST API. Gateway, permissions, documents and tests are derived from it. */
export interface Route extends RouteAccess {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly group: GroupName;
  readonly summary: Text;
  readonly description: Text;
  readonly throttle: Throttle;
  /** For an answer that is the same for every caller: how long anybody may keep it. */
  readonly cacheSeconds?: number;
  /** Whether scripts of any web page may read the answer (CORS). */
  readonly crossOrigin?: boolean;
  readonly request: {
    readonly path?: z.ZodObject;
    readonly query?: z.ZodObject;
    readonly headers?: z.ZodObject;
    /** An object, or an array, which the verb gets as `entries`. */
    readonly body?: z.ZodType;
    /** For a body that is an array. */
    readonly list?: ListDefinition;
    /** Whether the body may be missing. */
    readonly bodyOptional?: boolean;
    readonly example?: unknown;
  };
  readonly responses: readonly ResponseDefinition[];
  /** Kinds of success with different status or headers, by the `outcome` of the verb's result. */
  readonly outcomes?: Readonly<Record<string, OutcomeDefinition>>;
  /**
   * Whether the answer is kept under the `Idempotency-Key` of the call, so that a repeated call gets it again. For small
   * answers without personal data.
   */
  readonly keepsAnswer?: true;
  readonly errors: readonly ErrorCode[];
  readonly needs: Needs;
  readonly function: FunctionDefinition;
}

type Parsed<T> = T extends z.ZodType ? z.output<T> : unknown;
type HeaderFields<T> = T extends z.ZodType
  ? { [Name in keyof z.output<T> as CamelCase<Name>]: z.output<T>[Name] }
  : unknown;
type CamelCase<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name;
/** One entry of an array body: parsed, or as given with its issues, whose paths start inside the entry. */
export type Entry<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly given: unknown; readonly issues: readonly Issue[] };
type BodyFields<T> =
  T extends z.ZodArray<infer Each> ? { readonly entries: readonly Entry<z.output<Each>>[] } : Parsed<T>;
type Flat<T> = { [Name in keyof T]: T[Name] };

/**
 * The input of a route's verb: the parsed fields of path, query, headers (names in camelCase) and body in one object. For
 * a paged list, `after` (the position after which the page begins) replaces the cursor.
 */
export type Input<R extends Route> = Flat<
  Parsed<R['request']['path']> &
    Positioned<Parsed<R['request']['query']>> &
    HeaderFields<R['request']['headers']> &
    BodyFields<R['request']['body']>
>;
/** A query without any parameter has an index of every name. */
type Positioned<Query> = string extends keyof Query
  ? unknown
  : Query extends { cursor?: string | undefined }
    ? Omit<Query, 'cursor'> & { readonly after: string | undefined }
    : Query;

/** A value with all its members read-only. */
export type DeepReadonly<T> = T extends readonly (infer Entry)[]
  ? readonly DeepReadonly<Entry>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;

/** The body of a route's answer. */
export type Output<R extends Route> = DeepReadonly<z.output<R['responses'][number]['schema']>>;

/** One page of a list. `next` is the position after which the next page begins, null on the last page. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

/** The result of a route's verb: a page, an output with the name of its outcome if there are several, or an output. */
export type Result<R extends Route> =
  Output<R> extends { readonly object: 'list'; readonly data: readonly (infer Entry)[] }
    ? Page<Entry>
    : R extends { readonly outcomes: infer Outcomes }
      ? { readonly outcome: keyof Outcomes & string; readonly output: Output<R> }
      : Output<R>;
