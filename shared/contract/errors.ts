import { defaultLanguage } from '../language/languages.ts';
import { type Text, text } from '../language/text.ts';

/** The stable codes: HTTP status and the sentence used where the thrower has nothing more precise to say. */
export const errorCodes = {
  missing_api_key: {
    status: 401,
    text: text({
      en: 'This call needs an API key: send it as "Authorization: Bearer <API_KEY>".',
      fr: 'Cet appel demande une clé API : envoyez-la dans « Authorization: Bearer <API_KEY> ».',
    }),
  },
  invalid_api_key: { status: 401, text: text({ en: 'This API key is not known.', fr: 'Cette clé API est inconnue.' }) },
  revoked_api_key: {
    status: 401,
    text: text({ en: 'This API key was revoked.', fr: 'Cette clé API a été révoquée.' }),
  },
  insufficient_scope: {
    status: 403,
    text: text({ en: 'This API key lacks the required scope.', fr: 'Cette clé API n’a pas la portée requise.' }),
  },
  reputation_blocked: {
    status: 403,
    text: text({
      en: 'Sending is suspended: too many bounces or complaints.',
      fr: 'Les envois sont suspendus : trop de rebonds ou de plaintes.',
    }),
  },
  quota_exceeded: {
    status: 402,
    text: text({ en: 'The monthly quota of the plan is reached.', fr: 'Le quota mensuel du forfait est atteint.' }),
  },
  not_found: {
    status: 404,
    text: text({ en: 'There is no such object in this workspace.', fr: 'Cet objet n’existe pas dans cet espace.' }),
  },
  conflict: {
    status: 409,
    text: text({
      en: 'The object is in a state that does not allow this.',
      fr: 'L’état de l’objet ne permet pas cette opération.',
    }),
  },
  idempotency_key_reused: {
    status: 409,
    text: text({
      en: 'This Idempotency-Key was already used with a different body.',
      fr: 'Cette Idempotency-Key a déjà servi avec un autre corps de requête.',
    }),
  },
  validation_error: {
    status: 422,
    text: text({ en: 'The request is not valid.', fr: 'La requête n’est pas valide.' }),
  },
  unverified_from_domain: {
    status: 422,
    text: text({
      en: 'The domain of "from" is not verified in this workspace.',
      fr: 'Le domaine de « from » n’est pas vérifié dans cet espace.',
    }),
  },
  suppressed_recipient: {
    status: 422,
    text: text({ en: 'A recipient is on the suppression list.', fr: 'Un destinataire est sur la liste d’exclusion.' }),
  },
  rate_limit_exceeded: {
    status: 429,
    text: text({ en: 'Too many requests in this minute.', fr: 'Trop de requêtes pendant cette minute.' }),
  },
  send_failed: {
    status: 502,
    text: text({ en: 'The sending provider refused the message.', fr: 'Le prestataire d’envoi a refusé le message.' }),
  },
  internal_error: {
    status: 500,
    text: text({ en: 'The service failed to answer this call.', fr: 'Le service n’a pas pu répondre à cet appel.' }),
  },
} as const satisfies Record<string, { status: number; text: Text }>;

export type ErrorCode = keyof typeof errorCodes;

/** One thing that is wrong with a request; `path` as in `to[2]` or `attachments[0].content`. */
export interface Issue {
  readonly path: string;
  readonly text: Text;
}

/** What a verb throws when it refuses. It knows nothing of HTTP; `shared/http/` gives it its wire shape. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly text: Text;
  readonly details: Record<string, unknown>;
  /** Each thing that is wrong, where there are several: told in the caller's language when it is answered. */
  readonly issues: readonly Issue[];
  /** Seconds after which the same call may succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    options: {
      text?: Text;
      details?: Record<string, unknown>;
      issues?: readonly Issue[];
      retryAfterSeconds?: number;
      cause?: unknown;
    } = {},
  ) {
    const words = options.text ?? errorCodes[code].text;
    super(`${code}: ${words[defaultLanguage]}`, { cause: options.cause });
    this.code = code;
    this.text = words;
    this.details = options.details ?? {};
    this.issues = options.issues ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A `validation_error` with everything that is wrong. */
export class ValidationError extends ServiceError {
  constructor(issues: readonly Issue[]) {
    super('validation_error', { text: summaryOf(issues), issues });
  }
}

/** The first of them, and how many more there are. */
export function summaryOf(issues: readonly Issue[]): Text {
  const [first] = issues;
  if (!first) return errorCodes.validation_error.text;
  const more = issues.length - 1;
  const where = first.path === '' ? '' : `${first.path}: `;
  const whereFrench = first.path === '' ? '' : `${first.path} : `;
  return {
    en: `${where}${first.text.en}${more > 0 ? ` (and ${more} more)` : ''}`,
    fr: `${whereFrench}${first.text.fr}${more > 0 ? ` (et ${more} de plus)` : ''}`,
  };
}
