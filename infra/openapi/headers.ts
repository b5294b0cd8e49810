import type { Language } from '../../shared/language/languages.ts';
import type { Text } from '../../shared/language/text.ts';

type HeaderName =
  | 'X-RateLimit-Limit'
  | 'X-RateLimit-Remaining'
  | 'X-RateLimit-Reset'
  | 'X-Request-Id'
  | 'Retry-After'
  | 'WWW-Authenticate';

const integers: Partial<Record<HeaderName, number>> = {
  'X-RateLimit-Limit': 600,
  'X-RateLimit-Remaining': 599,
  'X-RateLimit-Reset': 1_795_257_060,
  'Retry-After': 12,
};

const texts: Record<HeaderName, Text> = {
  'X-RateLimit-Limit': { en: 'Calls a minute that the key may make.', fr: 'Appels par minute permis à la clé.' },
  'X-RateLimit-Remaining': {
    en: 'Calls that are left in this minute.',
    fr: 'Appels qui restent dans cette minute.',
  },
  'X-RateLimit-Reset': {
    en: 'When the next minute begins, in Unix seconds.',
    fr: 'Début de la minute suivante, en secondes Unix.',
  },
  'X-Request-Id': { en: 'To be quoted when asking for help.', fr: 'À citer pour demander de l’aide.' },
  'Retry-After': {
    en: 'Seconds after which the same call may succeed.',
    fr: 'Secondes après lesquelles le même appel peut réussir.',
  },
  'WWW-Authenticate': {
    en: 'How a key is sent: always `Bearer` (RFC 6750).',
    fr: 'Comment une clé est envoyée : toujours `Bearer` (RFC 6750).',
  },
};

const always: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

export function headerComponents(language: Language): Record<string, unknown> {
  const entries = Object.entries(texts).map(([name, text]) => {
    const example = integers[name as HeaderName];
    const schema = example === undefined ? { type: 'string' } : { type: 'integer', minimum: 0 };
    const required = name !== 'Retry-After';
    return [name, { description: text[language], required, schema, ...(example === undefined ? {} : { example }) }];
  });
  return Object.fromEntries(entries);
}

/** The headers of every response, with those that this one has besides. */
export function headersOf(more: readonly HeaderName[]): Record<string, unknown> {
  return Object.fromEntries([...always, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
