import type * as z from 'zod';
import type { Text } from '../language/text.ts';
import type { ErrorCode } from './errors.ts';
import type { Scope } from './scopes.ts';

/** What a function touches; the CDK app grants exactly this and nothing more. */
export interface Needs {
  readonly table?: 'read' | 'readWrite';
  /** Patterns of the only partition keys that it may touch (`dynamodb:LeadingKeys`); all when left out. */
  readonly tablePartitions?: readonly string[];
  /** Sends through SES with the service's configuration set. */
  readonly email?: boolean;
  /** Names from infra/resources.ts that it sends messages to. */
  readonly queues?: readonly string[];
  /** Creates one-time schedules that put a message on a queue. */
  readonly scheduler?: boolean;
  /** Reads the service secret. */
  readonly secret?: boolean;
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

/** One endpoint of the contract. Everything that must know about it is a loop over these. */
export interface Route {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly group: Text;
  readonly summary: Text;
  readonly description: Text;
  /** `public`: no key needed. `key`: any key. Else the scope that the key must carry. */
  readonly access: 'public' | 'key' | Scope;
  readonly request: {
    readonly path?: z.ZodObject;
    readonly query?: z.ZodObject;
    readonly headers?: z.ZodObject;
    readonly body?: z.ZodType;
    /** True when the call may come without any body. */
    readonly bodyOptional?: boolean;
    readonly example?: unknown;
  };
  readonly responses: readonly ResponseDefinition[];
  readonly errors: readonly ErrorCode[];
  readonly needs: Needs;
  readonly function: FunctionDefinition;
}

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;

/** What a route's verb receives of the request, parsed. */
export interface ParsedRequest<R extends Route> {
  readonly path: Parsed<R['request']['path']>;
  readonly query: Parsed<R['request']['query']>;
  readonly headers: Parsed<R['request']['headers']>;
  readonly body: Parsed<R['request']['body']>;
}
