import type { Language } from '../../shared/language/languages.ts';
import { textsOf } from '../../shared/language/text.ts';
import { usualRequestsPerMinute } from '../../shared/platform/config.ts';

const texts = textsOf({
  'X-RateLimit-Limit': { en: 'Calls a minute that the key may make.', fr: 'Appels par minute permis à la clé.' },
  'X-RateLimit-Remaining': { en: 'Calls that are left in this minute.', fr: 'Appels qui restent dans cette minute.' },
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
    en: 'How the key is sent (RFC 6750). API Gateway hands it on as `x-amzn-Remapped-WWW-Authenticate`.',
    fr: 'Comment envoyer la clé (RFC 6750). API Gateway le transmet sous le nom `x-amzn-Remapped-WWW-Authenticate`.',
  },
  Allow: { en: 'The methods that the path takes.', fr: 'Les méthodes que le chemin accepte.' },
});

type HeaderName = keyof typeof texts;

const examples: Readonly<Record<HeaderName, string | number>> = {
  'X-RateLimit-Limit': usualRequestsPerMinute,
  'X-RateLimit-Remaining': usualRequestsPerMinute - 1,
  'X-RateLimit-Reset': 1_795_257_060,
  'X-Request-Id': '5f0c6a1e-7f43-4f0a-9a55-0d4d3c1f2b6a',
  'Retry-After': 12,
  'WWW-Authenticate': 'Bearer',
  Allow: 'GET, HEAD, POST',
};

const always: readonly HeaderName[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

export function headerComponents(language: Language): Record<string, unknown> {
  const entries = (Object.keys(texts) as HeaderName[]).map((name) => {
    const example = examples[name];
    const schema = typeof example === 'number' ? { type: 'integer', minimum: 0 } : { type: 'string' };
    return [name, { description: texts[name][language], required: always.includes(name), schema, example }];
  });
  return Object.fromEntries(entries);
}

/** The headers of every response, with those that this one has besides. */
export function headersOf(more: readonly HeaderName[]): Record<string, unknown> {
  return referencesTo([...always, ...more]);
}

export function referencesTo(names: readonly HeaderName[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
