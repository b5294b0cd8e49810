import { type ErrorCode, errorCodes, PassingError } from '../../shared/contract/errors.ts';
import type { Route } from '../../shared/contract/route.ts';
import { methodRefusal } from '../../shared/contract/routing.ts';
import { errorBody, errorType } from '../../shared/contract/schemas/errorBody.ts';
import { replayHeader } from '../../shared/contract/schemas/fields.ts';
import { errorsOf } from '../../shared/documentation/chapters.ts';
import { exampleOf, type JsonSchema, namedJsonSchemaOf } from '../../shared/documentation/jsonSchema.ts';
import type { Language } from '../../shared/language/languages.ts';
import { type Text, textsOf } from '../../shared/language/text.ts';
import { usualRequestsPerMinute } from '../../shared/platform/config.ts';
import { deployedBodyMegabytes, gatewayBody, tooLarge } from '../gatewayErrors.ts';

const headerTexts = textsOf({
  'X-RateLimit-Limit': { en: 'Calls a minute that the key may make.', fr: 'Appels par minute permis à la clé.' },
  'X-RateLimit-Remaining': { en: 'Calls left in this minute.', fr: 'Appels restants dans cette minute.' },
  'X-RateLimit-Reset': {
    en: 'When the next minute begins, in Unix seconds.',
    fr: 'Début de la minute suivante, en secondes Unix.',
  },
  'X-Request-Id': { en: 'Quote it when you ask for help.', fr: 'À citer si vous demandez de l’aide.' },
  'Retry-After': {
    en: 'Seconds after which the same call may succeed.',
    fr: 'Secondes après lesquelles le même appel peut réussir.',
  },
  'WWW-Authenticate': {
    en: 'How to send the key (RFC 6750). API Gateway renames it to `x-amzn-Remapped-WWW-Authenticate`.',
    fr: 'Comment envoyer la clé (RFC 6750). API Gateway le renomme `x-amzn-Remapped-WWW-Authenticate`.',
  },
  'Mailroom-Ignored': {
    en: 'Fields of the body that were not read, at most 20, percent-encoded and separated by commas.',
    fr: 'Champs du corps qui n’ont pas été lus, 20 au plus, encodés comme dans une URL et séparés par des virgules.',
  },
  ...replayHeader,
  Allow: { en: 'The methods that the path accepts.', fr: 'Les méthodes que le chemin accepte.' },
});

type HeaderName = keyof typeof headerTexts;

const headerExamples = {
  'X-RateLimit-Limit': usualRequestsPerMinute,
  'X-RateLimit-Remaining': usualRequestsPerMinute - 1,
  'X-RateLimit-Reset': 1_795_257_060,
  'X-Request-Id': '5f0c6a1e-7f43-4f0a-9a55-0d4d3c1f2b6a',
  'Retry-After': 12,
  'WWW-Authenticate': 'Bearer',
  'Mailroom-Ignored': 'note, my%20field',
  'Idempotent-Replay': 'true',
  Allow: 'GET, HEAD, POST',
} as const satisfies Readonly<Record<HeaderName, string | number>>;

const commonHeaders: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

export function headerComponents(language: Language): Record<string, unknown> {
  const entries = (Object.keys(headerTexts) as HeaderName[]).map((name) => {
    const example = headerExamples[name];
    const schema = typeof example === 'number' ? { type: 'integer', minimum: 0 } : { type: 'string' };
    return [
      name,
      { description: headerTexts[name][language], required: commonHeaders.includes(name), schema, example },
    ];
  });
  return Object.fromEntries(entries);
}

/** A header that only some responses have: its component, if it is one, and null else. */
export const headerReference = (name: string, words: Text): object | null =>
  Object.entries(headerTexts).some(([known, text]) => known === name && text === words)
    ? { $ref: `#/components/headers/${name}` }
    : null;

/** The headers of every response, and additional ones. */
export const headersOf = (others: readonly HeaderName[] = []): Record<string, unknown> =>
  headerReferences([...commonHeaders, ...others]);

const headerReferences = (names: readonly HeaderName[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const responseTexts = textsOf({
  MethodNotAllowed: {
    en: '`validation_error`: the path exists, but not with this method.',
    fr: '`validation_error` : le chemin existe, mais pas avec cette méthode.',
  },
  TooLarge: {
    en: '`validation_error`: the request body is larger than the gateway accepts. The gateway answers before the key is read, and in all languages.',
    fr: '`validation_error` : le corps de la requête dépasse ce que la passerelle accepte. Elle répond avant de lire la clé, et dans toutes les langues.',
  },
  Error: {
    en: 'Any other error. All have this shape; programs should read `error.code`.',
    fr: 'Toute autre erreur. Toutes ont cette forme ; un programme doit lire `error.code`.',
  },
  Unavailable: {
    en: '`internal_error`: the service does not answer at the moment. The same call may succeed after `Retry-After`.',
    fr: '`internal_error` : le service ne répond pas en ce moment. Le même appel peut réussir après `Retry-After`.',
  },
});

const responseReference = (name: string) => ({ $ref: `#/components/responses/${name}` });

/** Every error response of these routes, under the name that `errorResponses` refers to. */
export function responseComponents(routes: readonly Route[], language: Language): Record<string, unknown> {
  const groups = routes.flatMap((route) => [...codesByStatus(route)]);
  const responses = groups.map(([status, codes]) => [responseName(codes), errorResponse(codes, status, language)]);
  return { ...Object.fromEntries(responses), ...transportResponses(language) };
}

/** Errors of any route that no error code describes: wrong method, body size, an outage. */
function transportResponses(language: Language): Record<keyof typeof responseTexts, unknown> {
  const schema = { $ref: '#/components/schemas/ValidationError' };
  const contentOf = (example: unknown) => ({ 'application/json': { schema, example } });
  return {
    MethodNotAllowed: {
      description: responseTexts.MethodNotAllowed[language],
      headers: headersOf(['Allow']),
      content: contentOf(refusalBody(405, methodRefusal('PUT', 'GET, HEAD, POST')[language])),
    },
    TooLarge: {
      description: responseTexts.TooLarge[language],
      headers: headerReferences(['X-RateLimit-Limit']),
      content: contentOf(gatewayBody(tooLarge(deployedBodyMegabytes), '')),
    },
    Error: {
      description: responseTexts.Error[language],
      headers: headerReferences(['X-RateLimit-Limit']),
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Error' }, example: unavailableBody(language) },
      },
    },
    Unavailable: {
      description: responseTexts.Unavailable[language],
      headers: headersOf(['Retry-After']),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/InternalError' },
          example: unavailableBody(language),
        },
      },
    },
  };
}

function unavailableBody(language: Language) {
  const { code, text } = new PassingError('unavailable', { retryAfterSeconds: headerExamples['Retry-After'] });
  const details = { request_id: headerExamples['X-Request-Id'], reason: 'unavailable' };
  const message = text[language];
  return { error: { code, message, details }, statusCode: PassingError.status, message, name: code };
}

function refusalBody(statusCode: number, message: string) {
  const code = 'validation_error';
  return { error: { code, message, details: { issues: [{ path: '', message }] } }, statusCode, message, name: code };
}

export function errorSchema(code: ErrorCode, language: Language): JsonSchema {
  const description = errorCodes[code].text[language];
  return { title: code, description, ...namedJsonSchemaOf(errorBody(code), language, 'output') };
}

export function errorExample(code: ErrorCode, language: Language): unknown {
  return { summary: errorCodes[code].text[language], value: exampleOf(errorSchema(code, language), code) };
}

/** The error responses of a route by status, as references to `responseComponents`. */
export function errorResponses(route: Route): Record<string, unknown> {
  const responses = [...codesByStatus(route)].map(([status, codes]) => [
    status,
    responseReference(responseName(codes)),
  ]);
  return {
    ...Object.fromEntries(responses),
    405: responseReference('MethodNotAllowed'),
    ...(route.request.body && { 413: responseReference('TooLarge') }),
    [PassingError.status]: responseReference('Unavailable'),
    default: responseReference('Error'),
  };
}

const codesByStatus = (route: Route): Map<number, ErrorCode[]> =>
  Map.groupBy(errorsOf(route), (code) => errorCodes[code].status);

/** Several codes with the same status share one response, whose schemas are distinguished by `name`. */
const responseName = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => errorType(code).replace(/Error$/, '')).join('Or');

function errorResponse(codes: readonly ErrorCode[], status: number, language: Language): unknown {
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].text[language]}`).join('\n\n'),
    headers: headersOf(extraHeaders(codes, status)),
    content: contentOf(codes),
  };
}

/** Errors that may pass without a change of the request. */
const temporaryErrors: ReadonlySet<ErrorCode> = new Set(['conflict', 'send_failed']);

function extraHeaders(codes: readonly ErrorCode[], status: number): readonly HeaderName[] {
  if (status === 401) return ['WWW-Authenticate'];
  return status === 429 || codes.some((code) => temporaryErrors.has(code)) ? ['Retry-After'] : [];
}

function contentOf(codes: readonly ErrorCode[]): unknown {
  const references = codes.map((code) => ({ $ref: `#/components/schemas/${errorType(code)}` }));
  const mapping = Object.fromEntries(codes.map((code, index) => [code, references[index]?.$ref]));
  const schema =
    references.length === 1 ? references[0] : { oneOf: references, discriminator: { propertyName: 'name', mapping } };
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${errorType(code)}` }]);
  return { 'application/json': { schema, examples: Object.fromEntries(examples) } };
}
