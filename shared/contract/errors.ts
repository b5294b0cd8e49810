import type * as z from 'zod';
import { defaultLanguage, inEachLanguage } from '../language/languages.ts';
import { fieldsMessage, unknownField } from '../language/spelling.ts';
import { type Text, text, textsOf } from '../language/text.ts';

/** The stable codes with their HTTP status and their default message. */
export const errorCodes = {
  missing_api_key: {
    status: 401,
    text: text({
      en: 'This call needs an API key: send it as "Authorization: Bearer <API_KEY>".',
      fr: 'Cet appel demande une clé API : envoyez-la dans « Authorization: Bearer <API_KEY> ».',
    }),
  },
  invalid_api_key: { status: 401, text: text({ en: 'This API key is unknown.', fr: 'Cette clé API est inconnue.' }) },
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
    text: text({ en: 'This object does not exist in this workspace.', fr: 'Cet objet n’existe pas dans cet espace.' }),
  },
  conflict: {
    status: 409,
    text: text({
      en: 'The state of the object does not allow this operation.',
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

/** One problem of a request. Examples of `path`: `to[2]`, `attachments[0].content`. */
export interface Issue {
  readonly path: string;
  readonly text: Text;
  /** The field as people see it, for messages instead of the path. */
  readonly place?: Text;
}

/** The error that a verb throws to refuse a call. `shared/http` turns it into an HTTP response. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly text: Text;
  readonly details: Record<string, unknown>;
  /** The problems of the request; empty when the text is enough. */
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

/** The refusal of a key that lacks a scope. */
export function missingScope(required: string, granted: readonly string[]): ServiceError {
  return new ServiceError('insufficient_scope', {
    text: {
      en: `This API key lacks the scope "${required}".`,
      fr: `Cette clé API n’a pas la portée « ${required} ».`,
    },
    details: { required, granted },
  });
}

/**
 * Why a call fails for now: an AWS service that it needs does not answer, operators hold all sending, or more email waits
 * for the sending rate than is kept.
 */
export const passingReasons = ['unavailable', 'sending_held', 'backlog'] as const;
export type PassingReason = (typeof passingReasons)[number];

/** An `internal_error` that passes without intervention: 503 with `Retry-After`. */
export class PassingError extends ServiceError {
  static readonly status = 503;

  constructor(reason: PassingReason, options: { text?: Text; retryAfterSeconds: number; cause?: unknown }) {
    super('internal_error', { text: passingTexts[reason], ...options, details: { reason } });
  }
}

const passingTexts = textsOf({
  unavailable: {
    en: 'The service does not answer at the moment: repeat the call later.',
    fr: 'Le service ne répond pas en ce moment : répétez l’appel plus tard.',
  },
  sending_held: {
    en: 'The operators of this service hold all sending for now: nothing was sent. Repeat the call later.',
    fr: 'Les opérateurs de ce service bloquent tous les envois pour le moment : rien n’est parti. Répétez l’appel plus tard.',
  },
  backlog: {
    en: 'More than ten minutes of emails wait for the sending provider’s rate already: nothing was sent or kept. Repeat the call later.',
    fr: 'Plus de dix minutes d’e-mails attendent déjà le débit du prestataire d’envoi : rien n’est parti ni gardé. Répétez l’appel plus tard.',
  },
});

/** A `validation_error` with all problems of a request. */
export class ValidationError extends ServiceError {
  constructor(issues: readonly Issue[]) {
    super('validation_error', { text: summaryOf(issues), issues });
  }
}

/** The first problem, and the number of the others. */
export function summaryOf(issues: readonly Issue[]): Text {
  const [first] = issues;
  if (!first) return errorCodes.validation_error.text;
  const more = issues.length - 1;
  const sentence = sentenceOf(first);
  return {
    en: `${sentence.en}${more > 0 ? ` (and ${more} more)` : ''}`,
    fr: `${sentence.fr}${more > 0 ? ` (et ${more} de plus)` : ''}`,
  };
}

/** A problem with its field as people see it, or else its path. */
export function sentenceOf({ path, text, place = inEachLanguage(() => path) }: Issue): Text {
  if (path === '') return text;
  return { en: `${place.en}: ${text.en}`, fr: `${place.fr} : ${text.fr}` };
}

/** The issues of a zod error, each with its path (`to[2]`) and a sentence in every language. */
export function issuesOf(error: z.ZodError): Issue[] {
  return flattenAll(error.issues);
}

/** Of a value of the wrong type only the type is reported: zod also measures an array against the limits of a string. */
function flattenAll(issues: readonly z.core.$ZodIssue[], parent: PropertyKey[] = []): Issue[] {
  const isWrongType = ({ code }: z.core.$ZodIssue) => code === 'invalid_type';
  const wrongTypes = new Set(issues.filter(isWrongType).map(({ path }) => pathOf(path)));
  return issues
    .filter((issue) => isWrongType(issue) || !wrongTypes.has(pathOf(issue.path)))
    .flatMap((issue) => flatten(issue, parent));
}

/** Unknown names of one object that are reported. */
const maxUnknown = 100;

function flatten(issue: z.core.$ZodIssue, parent: PropertyKey[] = []): Issue[] {
  const path = [...parent, ...issue.path];
  if (issue.code === 'invalid_union') {
    const closest = closestBranch(issue.errors);
    if (closest) return flattenAll(closest, path);
  }
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsMessage.read(issue.message);
    const keys = issue.keys.slice(0, maxUnknown);
    return keys.map((key): Issue => ({ path: pathOf([...path, key]), text: unknownField(key, known) }));
  }
  return [{ path: pathOf(path), text: textOf(issue) }];
}

/** The branch of a union that has the type of the input, if there is one: only its problems are helpful. */
function closestBranch(branches: z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  return branches.find((branch) => !branch.some((issue) => issue.code === 'invalid_type' && issue.path.length === 0));
}

/** `['to', 2]` becomes `to[2]`; the empty path is the whole body. */
export function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

const typeNames: Record<string, Text> = {
  string: { en: 'a string', fr: 'une chaîne' },
  number: { en: 'a number', fr: 'un nombre' },
  int: { en: 'an integer', fr: 'un entier' },
  boolean: { en: 'a boolean', fr: 'un booléen' },
  array: { en: 'an array', fr: 'un tableau' },
  object: { en: 'an object', fr: 'un objet' },
  record: { en: 'an object', fr: 'un objet' },
  null: inEachLanguage(() => 'null'),
};

const texts = textsOf({
  required: { en: 'is required', fr: 'est obligatoire' },
  malformed: { en: 'is malformed', fr: 'est mal formé' },
  url: { en: 'must be a URL', fr: 'doit être une URL' },
});

function textOf(issue: z.core.$ZodIssue): Text {
  switch (issue.code) {
    case 'custom':
      return (issue.params?.text as Text | undefined) ?? inEachLanguage(() => issue.message);
    case 'invalid_type':
      return issue.input === undefined ? texts.required : expected(issue.expected);
    case 'invalid_union':
      if ('options' in issue) return oneOf(issue.options as readonly unknown[]);
      return issue.input === undefined ? texts.required : expectedOneOf(issue.errors);
    case 'too_small':
      return bound(issue.origin, Number(issue.minimum), 'min');
    case 'too_big':
      return bound(issue.origin, Number(issue.maximum), 'max');
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_format':
      return issue.format === 'url' ? texts.url : texts.malformed;
    default:
      return texts.malformed;
  }
}

function oneOf(values: readonly unknown[]): Text {
  const named = values.map(String).join(', ');
  return { en: `must be one of: ${named}`, fr: `doit être l’une des valeurs : ${named}` };
}

function expected(type: string): Text {
  const name = typeNames[type] ?? text({ en: `of type ${type}`, fr: `de type ${type}` });
  return { en: `must be ${name.en}`, fr: `doit être ${name.fr}` };
}

/** Names the types of all branches of a union. */
function expectedOneOf(branches: z.core.$ZodIssue[][]): Text {
  const types = branches.flatMap((branch) =>
    branch.flatMap((issue) => (issue.code === 'invalid_type' && issue.path.length === 0 ? [issue.expected] : [])),
  );
  const names = [...new Set(types)].map((type) => typeNames[type]);
  if (names.length === 0 || names.includes(undefined)) return texts.malformed;
  const known = names.filter((name) => name !== undefined);
  return {
    en: `must be ${known.map(({ en }) => en).join(' or ')}`,
    fr: `doit être ${known.map(({ fr }) => fr).join(' ou ')}`,
  };
}

function bound(origin: string, limit: number, side: 'min' | 'max'): Text {
  const en = side === 'min' ? 'at least' : 'at most';
  const fr = side === 'min' ? 'au moins' : 'au plus';
  if (origin === 'string') {
    if (side === 'min' && limit === 1) return { en: 'must not be empty', fr: 'ne doit pas être vide' };
    return { en: `must have ${en} ${limit} characters`, fr: `doit compter ${fr} ${limit} caractères` };
  }
  if (origin === 'array' || origin === 'set') {
    if (limit === 1) return { en: `must have ${en} one entry`, fr: `doit compter ${fr} une entrée` };
    return { en: `must have ${en} ${limit} entries`, fr: `doit compter ${fr} ${limit} entrées` };
  }
  return { en: `must be ${en} ${limit}`, fr: `doit valoir ${fr} ${limit}` };
}
