import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError, ValidationError } from '../contract/errors.ts';
import type { Route } from '../contract/route.ts';
import type { Language } from '../language/languages.ts';
import type { Text } from '../language/text.ts';
import { now } from '../platform/clock.ts';
import { addLogFields } from '../platform/logger.ts';
import { type Authentication, admit, authenticate, credentialsOf, rateHeaders } from './authenticate.ts';
import { readJson } from './internal/parse.ts';
import { callRest, type RestAnswer, type RestRequest } from './restClient.ts';

/** Who forwards a request: its `User-Agent`, and what it says of a call whose answer never arrived. */
export interface Forwarder {
  readonly agent: string;
  readonly unanswered: Text;
}

/**
 * One HTTP request that is answered by calls of the REST API with the caller's key. The key is checked and the request
 * counted either here, once, or by the REST API, for each of its calls.
 */
export class ForwardedRequest {
  readonly event: APIGatewayProxyEvent;
  readonly language: Language;
  readonly #forwarder: Forwarder;
  readonly #answers: RestAnswer[] = [];
  #authentication: Promise<Authentication> | undefined;
  #counted: Authentication | undefined;
  #isRestCalled = false;

  constructor(event: APIGatewayProxyEvent, language: Language, forwarder: Forwarder) {
    this.event = event;
    this.language = language;
    this.#forwarder = forwarder;
  }

  get requestId(): string {
    return this.event.requestContext.requestId;
  }

  /** Whether this request was counted, here or by the REST API. */
  get isCounted(): boolean {
    return this.#isRestCalled || this.#counted !== undefined;
  }

  /** Counts the request once, however often it is called, and throws what refuses this key for the route. */
  async admit(route: Pick<Route, 'access'>): Promise<void> {
    const at = now();
    this.#authentication ??= authenticate(this.event, at);
    const authentication = await this.#authentication;
    this.#counted = authentication;
    addLogFields({ workspace_id: authentication.caller?.workspaceId, key_id: authentication.caller?.keyId });
    admit(route, authentication, at);
  }

  /** Why the request has no valid key, if it was checked here. */
  get refusal(): ServiceError | null {
    return this.#counted?.refusal ?? null;
  }

  /** Calls the REST API, which checks the key and counts the call. */
  async callRest(request: RestRequest): Promise<RestAnswer> {
    const key = credentialsOf(this.event);
    if (key instanceof ServiceError) throw key;
    this.#isRestCalled = true;
    const answer = await callRest(request, { key, language: this.language, ...this.#forwarder });
    this.#answers.push(answer);
    addLogFields({ rest_request_id: answer.headers['x-request-id'], rest_status: answer.status });
    return answer;
  }

  /** The REST answer that refused the key; it then is the answer to the whole request. */
  get unauthorised(): RestAnswer | undefined {
    return this.#answers.find(({ status }) => status === 401);
  }

  get hasBody(): boolean {
    return this.#bytes.toString('latin1').trim() !== '';
  }

  get #bytes(): Buffer {
    const { body, isBase64Encoded } = this.event;
    return Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  }

  /** The body, an object or an array. Throws `validation_error` for what is no JSON, or says a thing twice. */
  jsonBody(): object {
    const { value, issues } = readJson(this.#bytes);
    if (!value || issues.length > 0) throw new ValidationError(issues);
    return value;
  }

  /** The rate limit of the key, as reported last. */
  rateHeaders(): Record<string, string> {
    const headers = this.#answers.at(-1)?.headers;
    if (headers?.['x-ratelimit-limit']) return headersNamed(headers, rateHeaderNames);
    return rateHeaders(this.#counted?.window);
  }
}

const rateHeaderNames = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After'];

function headersNamed(headers: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  const entries = names.map((name) => [name, headers[name.toLowerCase()]] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
