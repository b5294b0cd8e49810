import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../contract/errors.ts';
import { looksLikeApiKey } from '../domain/token/apiKey.ts';
import { textsOf } from '../language/text.ts';

const texts = textsOf({
  both: {
    en: 'Send either "Authorization" or "X-Api-Key", not both.',
    fr: 'Envoyez « Authorization » ou « X-Api-Key », pas les deux.',
  },
  scheme: {
    en: 'The "Authorization" header must be "Bearer <API_KEY>".',
    fr: 'L’en-tête « Authorization » doit être « Bearer <API_KEY> ».',
  },
});

/** The key of a request, checked by its checksum only; or the refusal that the contract gives for what was sent. */
export function credentialsOf(event: APIGatewayProxyEvent): string | ServiceError {
  const authorization = headerOf(event, 'authorization');
  const apiKey = headerOf(event, 'x-api-key');
  if (authorization && apiKey) return new ServiceError('invalid_api_key', { text: texts.both });
  if (!authorization && !apiKey) return new ServiceError('missing_api_key');
  const key = apiKey || bearerToken(authorization);
  if (key === undefined) return new ServiceError('invalid_api_key', { text: texts.scheme });
  if (key === '') return new ServiceError('missing_api_key');
  return looksLikeApiKey(key) ? key : new ServiceError('invalid_api_key');
}

/** The token of `Bearer <token>` (RFC 6750 section 2.1; the scheme's case is free), undefined for another scheme. */
function bearerToken(authorization: string): string | undefined {
  const [, token] = /^bearer(?:\s+(.*))?$/i.exec(authorization) ?? [undefined, undefined];
  if (token !== undefined) return token.trim();
  return /^bearer$/i.test(authorization) ? '' : undefined;
}

/** A header by its lower-case name, trimmed; `''` when absent. */
export function headerOf(event: Pick<APIGatewayProxyEvent, 'headers'>, name: string): string {
  for (const [key, value] of Object.entries(event.headers ?? {})) {
    if (key.toLowerCase() === name) return value?.trim() ?? '';
  }
  return '';
}
