import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Catalog } from '../contract/catalog.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Route } from '../contract/route.ts';
import { type Authentication, admit, authenticate } from '../http/authenticate.ts';
import { credentialsOf } from '../http/credentials.ts';
import { rateHeaders } from '../http/rateLimit.ts';
import type { Language } from '../language/languages.ts';
import { now } from '../platform/clock.ts';
import { addLogFields } from '../platform/logContext.ts';
import { callRest, type RestAnswer } from './restClient.ts';
import type { RestRequest } from './restRequest.ts';

/**
 * One HTTP request of a client. Its key is looked at, and its call counted, either here or by the REST API, which a tool
 * calls with the very key: never by both.
 */
export class Exchange {
  readonly event: APIGatewayProxyEvent;
  readonly language: Language;
  readonly catalog: Catalog;
  readonly #answers: RestAnswer[] = [];
  #authentication: Promise<Authentication> | undefined;
  #counted: Authentication | undefined;
  #isAsked = false;

  constructor(event: APIGatewayProxyEvent, language: Language, catalog: Catalog) {
    this.event = event;
    this.language = language;
    this.catalog = catalog;
  }

  get requestId(): string {
    return this.event.requestContext.requestId;
  }

  /** True once this request was counted, by whomever. */
  get isCounted(): boolean {
    return this.#isAsked || this.#counted !== undefined;
  }

  /** Counts the request here and throws what keeps its key from a route; however often it is asked, it counts once. */
  async admit(route: Pick<Route, 'access'>): Promise<void> {
    const at = now();
    this.#authentication ??= authenticate(this.event, at);
    const found = await this.#authentication;
    this.#counted = found;
    addLogFields({ workspace_id: found.caller?.workspaceId, key_id: found.caller?.keyId });
    admit(route, found, at);
  }

  /** Why there is no key behind the request, where that was found out here. */
  get refusal(): ServiceError | null {
    return this.#counted?.refusal ?? null;
  }

  /** Calls the REST API, which looks at the key and counts. */
  async ask(request: RestRequest): Promise<RestAnswer> {
    const key = credentialsOf(this.event);
    if (key instanceof ServiceError) throw key;
    this.#isAsked = true;
    const answer = await callRest(request, { key, language: this.language });
    this.#answers.push(answer);
    addLogFields({ rest_request_id: answer.headers['x-request-id'], rest_status: answer.status });
    return answer;
  }

  /** The answer that refused the key, which then is the answer to all of the request. */
  get unauthorised(): RestAnswer | undefined {
    return this.#answers.find(({ status }) => status === 401);
  }

  /** Where the key's minute stands, as told last. */
  rateHeaders(): Record<string, string> {
    const told = this.#answers.at(-1)?.headers;
    if (told?.['x-ratelimit-limit']) return headersNamed(told, rateHeaderNames);
    return rateHeaders(this.#counted?.window ?? { count: 0, resetsAt: Math.ceil(Date.now() / 60_000) * 60 });
  }
}

const rateHeaderNames = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'];

function headersNamed(headers: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  const found = names.map((name) => [name, headers[name.toLowerCase()]] as const);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
