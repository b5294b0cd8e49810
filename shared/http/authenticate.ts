import type { APIGatewayProxyEvent } from 'aws-lambda';
import { missingScope, ServiceError } from '../contract/errors.ts';
import { type RouteAccess, scopesOf } from '../contract/scopes.ts';
import { networkSource } from '../domain/ipAddress.ts';
import { fingerprint, looksLikeApiKey } from '../domain/token.ts';
import { textsOf } from '../language/text.ts';
import { nowMilliseconds } from '../platform/clock.ts';
import { config } from '../platform/config.ts';
import type { KeyActor } from '../services/context.ts';
import { countCall, countKeyCall, type RateWindow } from '../store/workspace/apiKeys.ts';

/** The API key of a call and the workspace that it belongs to. */
export interface KeyCaller extends KeyActor {
  readonly workspaceId: string;
}

/** Who calls, and how many calls of this minute are used. Without a caller, `refusal` says why. */
export interface Authentication {
  readonly caller: KeyCaller | null;
  readonly window: RateWindow;
  readonly refusal: ServiceError | null;
}

const texts = textsOf({
  bothHeaders: {
    en: 'Send either "Authorization" or "X-Api-Key", not both.',
    fr: 'Envoyez « Authorization » ou « X-Api-Key », pas les deux.',
  },
  expired: { en: 'This API key has expired.', fr: 'Cette clé API a expiré.' },
  notBearer: {
    en: 'The "Authorization" header must be "Bearer <API_KEY>".',
    fr: 'L’en-tête « Authorization » doit être « Bearer <API_KEY> ».',
  },
});

/** A header by its lower-case name, trimmed; `''` when absent. */
export function headerOf(event: Pick<APIGatewayProxyEvent, 'headers'>, name: string): string {
  for (const [key, value] of Object.entries(event.headers ?? {})) {
    if (key.toLowerCase() === name) return value?.trim() ?? '';
  }
  return '';
}

/** The API key of a request, of which only the checksum was verified, or the error that refuses what was sent. */
export function credentialsOf(event: APIGatewayProxyEvent): string | ServiceError {
  const authorization = headerOf(event, 'authorization');
  const apiKey = headerOf(event, 'x-api-key');
  if (authorization && apiKey) return new ServiceError('invalid_api_key', { text: texts.bothHeaders });
  if (!authorization && !apiKey) return new ServiceError('missing_api_key');
  const key = apiKey || bearerToken(authorization);
  if (key === undefined) return new ServiceError('invalid_api_key', { text: texts.notBearer });
  if (key === '') return new ServiceError('missing_api_key');
  return looksLikeApiKey(key) ? key : new ServiceError('invalid_api_key');
}

/** The token of `Bearer <token>`, in any case (RFC 6750 section 2.1); undefined for another scheme. */
function bearerToken(authorization: string): string | undefined {
  const [, token] = /^bearer(?:\s+(.*))?$/i.exec(authorization) ?? [undefined, undefined];
  if (token !== undefined) return token.trim();
  return /^bearer$/i.test(authorization) ? '' : undefined;
}

/**
 * Looks up the key and counts the call in one write, two for a child key. A call without a usable key counts against its source address: a
 * second write, which only refused calls pay for.
 */
export async function authenticate(event: APIGatewayProxyEvent, now: Date): Promise<Authentication> {
  const credentials = credentialsOf(event);
  if (credentials instanceof ServiceError) return refused(event, credentials, now);
  const counted = await countKeyCall(fingerprint(credentials), now);
  if (!counted) return refused(event, new ServiceError('invalid_api_key'), now);
  const { key, window, end } = counted;
  if (end) return refused(event, end === 'revoked' ? new ServiceError('revoked_api_key') : expired(), now);
  return { caller: { kind: 'key', ...key }, window, refusal: null };
}

const expired = () => new ServiceError('invalid_api_key', { text: texts.expired });

async function refused(event: APIGatewayProxyEvent, refusal: ServiceError, now: Date): Promise<Authentication> {
  const window = await countCall(`source#${networkSource(event.requestContext.identity.sourceIp)}`, now);
  return { caller: null, window, refusal };
}

/**
 * Throws the error that refuses the call, if there is one. The order: the rate limit of a source address without a key,
 * the key, its scope, the rate limit of the key.
 */
export function admit(route: RouteAccess, authentication: Authentication, now: Date): void {
  if (!authentication.caller) checkRate(authentication.window, now);
  authorise(route, authentication);
  checkRate(authentication.window, now);
}

function authorise(route: RouteAccess, authentication: Authentication): void {
  if (route.access === 'public') return;
  if (!authentication.caller) throw authentication.refusal ?? new ServiceError('missing_api_key');
  const { scopes: granted } = authentication.caller;
  const missing = scopesOf(route).find((scope) => !granted.includes(scope));
  if (missing) throw missingScope(missing, granted);
}

/** Throws `rate_limit_exceeded` when the limit was reached before this call: call 600 of 600 passes. */
function checkRate(window: RateWindow, now: Date): void {
  if (window.count <= config('REQUESTS_PER_MINUTE')) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(window.resetsAt - now.getTime() / 1000));
  throw new ServiceError('rate_limit_exceeded', { details: { retry_after: retryAfterSeconds }, retryAfterSeconds });
}

/** The headers that report the rate limit; without a window, those of a minute in which nothing was counted. */
export function rateHeaders(window: RateWindow | undefined): Record<string, string> {
  const limit = config('REQUESTS_PER_MINUTE');
  const { count, resetsAt } = window ?? { count: 0, resetsAt: Math.ceil(nowMilliseconds() / 60_000) * 60 };
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(Math.max(0, limit - count)),
    'X-RateLimit-Reset': String(resetsAt),
  };
}
