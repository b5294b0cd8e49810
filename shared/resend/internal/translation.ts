import type { Resend } from 'resend';
import * as z from 'zod';
import { issuesOf, ServiceError, ValidationError } from '../../contract/errors.ts';
import type { Output, Route } from '../../contract/route.ts';
import { strictFields } from '../../contract/schemas/fields.ts';
import { headerOf } from '../../http/authenticate.ts';
import type { ForwardedRequest } from '../../http/forwardedRequest.ts';
import type { RestAnswer } from '../../http/restClient.ts';

/** A call of the client, and how calls of the REST API answer it. */
export interface Translation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/resend`. */
  readonly path: string;
  /** Reads the request, and returns the body of the client's answer. */
  readonly answer: (request: ForwardedRequest, call: ClientCall) => Promise<object>;
}

interface TranslationOf<Body extends z.ZodType, Query extends z.ZodType> extends Pick<Translation, 'method' | 'path'> {
  /** Default: the call takes no body. */
  readonly body?: Body;
  /** Default: the call takes no parameters. */
  readonly query?: Query;
  readonly answer: (
    call: ClientCall,
    given: { readonly body: z.output<Body>; readonly query: z.output<Query> },
  ) => Promise<object>;
}

const nothing = strictFields({});

/** A field that the REST API checks. */
export const anything = z.unknown().optional();

/** A translation that refuses every field and parameter that it does not read: ignoring one could change who gets mail. */
export const translation = <Body extends z.ZodType = typeof nothing, Query extends z.ZodType = typeof nothing>({
  body,
  query,
  answer,
  ...place
}: TranslationOf<Body, Query>): Translation => ({
  ...place,
  answer: (request, call) => {
    const given = body || request.hasBody ? request.jsonBody() : {};
    const parameters = request.event.queryStringParameters ?? {};
    return answer(call, {
      body: parsed(body ?? nothing, given) as z.output<Body>,
      query: parsed(query ?? nothing, parameters) as z.output<Query>,
    });
  },
});

/** What a method of the client gives when it succeeds: `ClientAnswer<Resend['emails']['get']>`. */
export type ClientAnswer<Method extends (...given: never[]) => unknown> = NonNullable<
  Awaited<ReturnType<Method>> extends { readonly data: infer Data } ? Data : never
>;
export type { Resend };

/** An answer of the REST API that is not a success; it becomes the answer to the client. */
export class RestRefusal extends Error {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Names of the client's fields by those of the REST API. */
  readonly fieldNames: Readonly<Record<string, string>>;

  constructor({ status, body, headers }: RestAnswer, fieldNames: Readonly<Record<string, string>>) {
    super(`The REST API answered ${status}.`);
    this.status = status;
    this.body = body;
    this.headers = headersNamed(headers, ['Retry-After', 'WWW-Authenticate', 'Mailroom-Ignored']);
    this.fieldNames = fieldNames;
  }
}

interface RestOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** Headers of the client's request that the route reads too. */
  readonly headers?: readonly string[];
  /** Names of the client's fields by those of the REST API, where they differ: for the paths in a refusal. */
  readonly fieldNames?: Readonly<Record<string, string>>;
}

/** One request of the client. */
export interface ClientCall {
  /** A parameter of the path, decoded. */
  readonly parameter: (name: string) => string;
  /** Headers of REST answers that the client's answer repeats. */
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** The body of a successful REST answer; `R` is the type of the route. Throws a `RestRefusal`. */
  readonly rest: <R extends Route>(method: R['method'], path: string, options?: RestOptions) => Promise<Output<R>>;
}

export function clientCallOf(request: ForwardedRequest, parameters: Readonly<Record<string, string>>): ClientCall {
  const answerHeaders: Record<string, string> = {};
  return {
    answerHeaders,
    parameter: (name) => decoded(parameters[name] ?? ''),
    rest: async <R extends Route>(method: R['method'], path: string, options: RestOptions = {}) => {
      const { query = {}, body, headers = [], fieldNames = {} } = options;
      const answer = await request.callRest({
        method,
        path: `${path}${queryText(query)}`,
        headers: givenHeaders(request, headers),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const value = jsonObject(answer);
      if (answer.status < 200 || answer.status > 299) throw new RestRefusal(answer, fieldNames);
      Object.assign(answerHeaders, headersNamed(answer.headers, ['Idempotent-Replay']));
      return value as Output<R>;
    },
  };
}

/** A segment of a path, encoded. A segment `..` leads up, even when encoded (URL Standard): it can name nothing. */
export function segment(value: string): string {
  if (value === '' || /^\.{1,2}$/.test(value)) throw new ServiceError('not_found');
  return encodeURIComponent(value.toWellFormed());
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(value, { reportInput: true });
  if (error) throw new ValidationError(issuesOf(error));
  return data as z.output<Schema>;
}

function queryText(query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`).join('&')}`;
}

/** Characters that a header cannot carry become `é`: the REST API refuses both, and lengths stay the same. */
const headerText = (text: string): string => text.replace(/[^ -~]/gu, 'é');

function givenHeaders({ event }: ForwardedRequest, names: readonly string[]): Record<string, string> {
  const given = Object.keys(event.headers ?? {}).map((name) => name.toLowerCase());
  const known = names.filter((name) => given.includes(name));
  return Object.fromEntries(known.map((name) => [name, headerText(headerOf(event, name))]));
}

function headersNamed(headers: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  const entries = names.map((name) => [name, headers[name.toLowerCase()]] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Throws for an answer in another shape: something in between, such as a firewall, gave it, and not the API. */
function jsonObject({ status, body }: RestAnswer): object {
  try {
    const value: unknown = JSON.parse(body);
    const isError = status < 200 || status > 299;
    if (typeof value === 'object' && value !== null && (!isError || 'error' in value)) return value;
  } catch {}
  throw new ServiceError('internal_error', {
    cause: new Error(`The REST API answered ${status} in an unexpected shape.`),
  });
}
