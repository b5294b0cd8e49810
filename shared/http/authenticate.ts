import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../contract/errors.ts';
import type { Route } from '../contract/route.ts';
import { fingerprint } from '../domain/token/apiKey.ts';
import { countKeyCall } from '../store/workspace/apiKeys.ts';
import { countCall, type RateWindow } from '../store/workspace/rateWindows.ts';
import type { Caller } from './call.ts';
import { credentialsOf } from './credentials.ts';
import { checkRate } from './rateLimit.ts';

/** Who calls and how much of the minute is used; `refusal` says why there is no caller. */
export interface Authentication {
  readonly caller: Caller | null;
  readonly window: RateWindow;
  readonly refusal: ServiceError | null;
}

/**
 * Looks the key up and counts the call: one write. A call without a usable key counts against its source address instead,
 * which costs a second round trip only to those that are refused anyway.
 */
export async function authenticate(event: APIGatewayProxyEvent, now: Date): Promise<Authentication> {
  const credentials = credentialsOf(event);
  if (credentials instanceof ServiceError) return refused(event, credentials, now);
  const counted = await countKeyCall(fingerprint(credentials), now);
  if (!counted) return refused(event, new ServiceError('invalid_api_key'), now);
  const { key, window } = counted;
  if (key.revokedAt) return refused(event, new ServiceError('revoked_api_key'), now);
  return { caller: { kind: 'key', ...key }, window, refusal: null };
}

async function refused(event: APIGatewayProxyEvent, refusal: ServiceError, now: Date): Promise<Authentication> {
  const window = await countCall(`source#${event.requestContext.identity.sourceIp}`, now);
  return { caller: null, window, refusal };
}

/** Lets a call pass, or throws what keeps it out: in this order the flood without a key, key and scope, the rate. */
export function admit(route: Pick<Route, 'access'>, authentication: Authentication, now: Date): void {
  if (!authentication.caller) checkRate(authentication.window, now);
  authorise(route, authentication);
  checkRate(authentication.window, now);
}

/** Throws what keeps this caller from this route: no usable key, or a key without the scope. */
function authorise(route: Pick<Route, 'access'>, authentication: Authentication): void {
  if (route.access === 'public') return;
  if (!authentication.caller) throw authentication.refusal ?? new ServiceError('missing_api_key');
  if (route.access === 'key' || authentication.caller.scopes.includes(route.access)) return;
  throw new ServiceError('insufficient_scope', {
    text: {
      en: `This API key lacks the scope "${route.access}".`,
      fr: `Cette clé API n’a pas la portée « ${route.access} ».`,
    },
    details: { required: route.access, granted: authentication.caller.scopes },
  });
}
