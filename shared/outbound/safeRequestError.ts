import { defaultLanguage } from '../language/languages.ts';
import type { Text } from '../language/text.ts';

export type SafeRequestErrorCode =
  | 'invalid_url'
  | 'blocked_address'
  | 'dns'
  | 'connection'
  | 'tls'
  | 'protocol'
  | 'incomplete_answer'
  | 'timeout';

/** Why a request got no complete answer. The message may be shown to customers: it reveals nothing internal. */
export class SafeRequestError extends Error {
  override readonly name = 'SafeRequestError';
  readonly code: SafeRequestErrorCode;
  /** The status, if it arrived before the failure. */
  readonly status: number | null;
  readonly durationMilliseconds: number;

  constructor(
    code: SafeRequestErrorCode,
    details: { status?: number; durationMilliseconds?: number; cause?: unknown } = {},
  ) {
    super(safeRequestErrorTexts[code][defaultLanguage], { cause: details.cause });
    this.code = code;
    this.status = details.status ?? null;
    this.durationMilliseconds = details.durationMilliseconds ?? 0;
  }
}

export const safeRequestErrorTexts: Record<SafeRequestErrorCode, Text> = {
  invalid_url: {
    en: 'This URL must not be called.',
    fr: 'Cette URL ne doit pas être appelée.',
  },
  blocked_address: {
    en: 'The host has an address that is not public.',
    fr: 'L’hôte a une adresse qui n’est pas publique.',
  },
  dns: { en: 'The host name could not be resolved.', fr: 'Le nom d’hôte n’a pas pu être résolu.' },
  connection: {
    en: 'The connection could not be established, or broke before an answer.',
    fr: 'La connexion n’a pas pu être établie, ou s’est rompue avant la réponse.',
  },
  tls: {
    en: 'The TLS connection failed: the certificate is not valid, or the handshake failed.',
    fr: 'La connexion TLS a échoué : le certificat n’est pas valide, ou la négociation a échoué.',
  },
  protocol: { en: 'The answer is not valid HTTP.', fr: 'La réponse n’est pas du HTTP valide.' },
  incomplete_answer: {
    en: 'The connection broke in the middle of the answer.',
    fr: 'La connexion s’est rompue au milieu de la réponse.',
  },
  timeout: { en: 'The whole answer did not arrive in time.', fr: 'La réponse complète n’est pas arrivée à temps.' },
};

/** The error codes of Node and OpenSSL by their meaning. Any other error is a broken connection. */
const codesByPattern: readonly (readonly [RegExp, SafeRequestErrorCode])[] = [
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|ERR_INVALID_IP_ADDRESS)/, 'dns'],
  [/^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_|INVALID_CA|ERROR_IN_CERT)/, 'tls'],
  [/^(HPE_|ERR_HTTP|ERR_STREAM)/, 'protocol'],
];

export function safeRequestErrorCodeOf(error: unknown): SafeRequestErrorCode {
  if (error instanceof SafeRequestError) return error.code;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return codesByPattern.find(([pattern]) => pattern.test(code))?.[1] ?? 'connection';
}
