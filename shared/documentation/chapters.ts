import * as z from 'zod';
import { type ErrorCode, errorCodes } from '../contract/errors.ts';
import type { Route } from '../contract/route.ts';
import { pageQuery } from '../contract/schemas/fields.ts';
import { scopeNames, scopes, scopesOf } from '../contract/scopes.ts';
import type { Language } from '../language/languages.ts';
import { textsOf } from '../language/text.ts';
import { usualRequestsPerMinute } from '../platform/config.ts';
import { jsonSchemaOf } from './jsonSchema.ts';

const titles = textsOf({
  authentication: { en: 'Authentication', fr: 'Authentification' },
  paging: { en: 'Paging', fr: 'Pagination' },
  idempotency: { en: 'Idempotency', fr: 'Idempotence' },
  errors: { en: 'Errors', fr: 'Erreurs' },
  rateLimits: { en: 'Rate limits', fr: 'Limites de débit' },
});

const texts = textsOf({
  introduction: {
    en: 'Single emails, subscribers, campaigns and webhooks. Bodies are JSON. Every path that takes `GET` also takes `HEAD`. New fields may be added to answers at any time.',
    fr: 'E-mails à l’unité, abonnés, campagnes et webhooks. Les corps sont en JSON. Tout chemin qui accepte `GET` accepte aussi `HEAD`. De nouveaux champs peuvent s’ajouter aux réponses à tout moment.',
  },
  authentication: {
    en: 'Send the API key of your workspace as `Authorization: Bearer <API_KEY>` or as `X-Api-Key: <API_KEY>`. The two are equivalent, but a call with both is refused. A key is shown only once, when it is created: if you lose it, revoke it and create a new one. Its scopes are chosen at creation and never change. Each operation names the scope it needs; `GET /api/v1/me` lists those of a key.',
    fr: 'Envoyez la clé API de votre espace dans `Authorization: Bearer <API_KEY>` ou dans `X-Api-Key: <API_KEY>`. Les deux sont équivalents, mais un appel qui contient les deux est refusé. Une clé n’est affichée qu’une seule fois, à sa création : si vous la perdez, révoquez-la et créez-en une autre. Ses portées sont choisies à la création et ne changent jamais. Chaque opération indique la portée nécessaire ; `GET /api/v1/me` donne celles d’une clé.',
  },
  scopes: { en: '| Scope | Allows you to |', fr: '| Portée | Permet de |' },
  paging: {
    en: 'A list answers `data`, `has_more` and `next_cursor`. To get the next page, pass `next_cursor` as `cursor` with the same filters, until it is null. There are no page numbers. `limit` takes {minimum} to {maximum} entries; the default is {default}. A cursor is only valid for its workspace, its list and its filters.',
    fr: 'Une liste répond `data`, `has_more` et `next_cursor`. Pour obtenir la page suivante, passez `next_cursor` dans `cursor` avec les mêmes filtres, jusqu’à ce qu’il soit null. Il n’y a pas de numéros de page. `limit` accepte de {minimum} à {maximum} entrées, {default} par défaut. Un curseur n’est valable que pour son espace, sa liste et ses filtres.',
  },
  idempotency: {
    en: 'Calls that send or create something take an `Idempotency-Key`: one unique value for each. If you repeat the call with the same key within 24 hours, it is not carried out again: you get the first answer, with `Idempotent-Replay: true`. The same key with another body is refused (`idempotency_key_reused`). While the first call is in progress or its outcome is unknown, the answer is `conflict` with `Retry-After`: wait, then repeat the same call.',
    fr: 'Les appels qui envoient ou créent quelque chose acceptent une `Idempotency-Key` : une valeur unique pour chacun. Si vous répétez l’appel avec la même clé dans les 24 heures, il n’est pas exécuté de nouveau : vous recevez la première réponse, avec `Idempotent-Replay: true`. La même clé avec un autre corps est refusée (`idempotency_key_reused`). Tant que le premier appel est en cours, ou que son issue est inconnue, la réponse est `conflict` avec `Retry-After` : attendez, puis répétez le même appel.',
  },
  errors: {
    en: 'All errors have the same shape. Programs should read `error.code` (or `name`, which has the same value): it never changes. `message` is for people: it follows `Accept-Language` and may be rephrased. `error.details` holds what you need to correct the call. A known path with a wrong method is answered with 405 and `Allow`, an unknown path with 404.',
    fr: 'Toutes les erreurs ont la même forme. Un programme doit lire `error.code` (ou `name`, qui a la même valeur) : il ne change jamais. `message` s’adresse aux humains : il suit `Accept-Language` et peut être reformulé. `error.details` contient ce qu’il faut pour corriger l’appel. Un chemin connu avec une mauvaise méthode reçoit un 405 avec `Allow`, un chemin inconnu un 404.',
  },
  codes: { en: '| Code | Status | Meaning |', fr: '| Code | Statut | Sens |' },
  rateLimits: {
    en: 'A key may make {limit} calls a minute unless this deployment sets another limit. Every answer reports the current state: `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (Unix seconds). Calls above the limit get 429 with `Retry-After` in seconds. Calls without a valid key are counted by network address. The gateway refuses some calls before it reads the key: a body that is too large, too many calls to the whole service, a function that took too long. These answers have only `X-RateLimit-Limit`, and their message is in all languages.',
    fr: 'Une clé permet {limit} appels par minute, sauf si ce déploiement fixe une autre limite. Chaque réponse indique l’état actuel : `X-RateLimit-Limit`, `X-RateLimit-Remaining` et `X-RateLimit-Reset` (secondes Unix). Au-delà de la limite, la réponse est 429 avec `Retry-After` en secondes. Les appels sans clé valable sont comptés par adresse réseau. La passerelle refuse certains appels avant de lire la clé : corps trop volumineux, trop d’appels pour tout le service, fonction trop lente. Ces réponses n’ont que `X-RateLimit-Limit`, et leur message est dans toutes les langues.',
  },
});

/** What applies to every operation, in Markdown. Numbers and tables come from the code that enforces them. */
export function chaptersIn(language: Language): string {
  const say = (name: keyof typeof texts) => texts[name][language];
  const codes = Object.entries(errorCodes).map(([code, { status, text }]) => [`\`${code}\``, status, text[language]]);
  const scopeRows = scopeNames.map((name) => [`\`${name}\``, scopes[name][language]]);
  const chapters = {
    authentication: [say('authentication'), table(say('scopes'), scopeRows)],
    paging: [filled(say('paging'), pageSizes(language))],
    idempotency: [say('idempotency')],
    errors: [say('errors'), table(say('codes'), codes)],
    rateLimits: [filled(say('rateLimits'), { limit: usualRequestsPerMinute })],
  } satisfies Record<keyof typeof titles, string[]>;
  const parts = Object.entries(chapters).map(([name, paragraphs]) =>
    [`## ${titles[name as keyof typeof titles][language]}`, ...paragraphs].join('\n\n'),
  );
  return [say('introduction'), ...parts].join('\n\n');
}

function pageSizes(language: Language): Record<string, number> {
  const { properties } = jsonSchemaOf(z.object(pageQuery), language, 'input') as {
    properties: { limit: { minimum: number; maximum: number; default: number } };
  };
  return { ...properties.limit };
}

function filled(text: string, values: Readonly<Record<string, number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

function table(head: string, rows: readonly (readonly unknown[])[]): string {
  const columns = head.split('|').length - 2;
  return [head, `|${' --- |'.repeat(columns)}`, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
}

const accessTexts = textsOf({
  public: { en: 'Needs no key.', fr: 'Sans clé.' },
  scope: { en: 'Scope: {scope}.', fr: 'Portée : {scope}.' },
  scopes: { en: 'Scopes: {scope}.', fr: 'Portées : {scope}.' },
  key: { en: 'Needs a key with any scope.', fr: 'Demande une clé, quelle que soit sa portée.' },
});

/** Which key a route needs, as a sentence. */
export function accessText(route: Route, language: Language): string {
  if (route.access === 'public' || route.access === 'key') return accessTexts[route.access][language];
  const [scope = '', ...further] = scopesOf(route);
  const names = [scope, ...further].map((name) => `\`${name}\``).join(' + ');
  return accessTexts[further.length > 0 ? 'scopes' : 'scope'][language].replace('{scope}', names);
}

/** Every error code that a route can answer with: its own, and those that follow from its access and its input. */
export function errorsOf(route: Route): ErrorCode[] {
  const { query, headers, body } = route.request;
  const codes: ErrorCode[] = [...route.errors];
  if (route.access !== 'public') codes.push('missing_api_key', 'invalid_api_key', 'revoked_api_key');
  if (route.access !== 'public' && route.access !== 'key') codes.push('insufficient_scope');
  if (query || headers || body) codes.push('validation_error');
  codes.push('rate_limit_exceeded', 'internal_error');
  const inOrder = Object.keys(errorCodes) as ErrorCode[];
  return inOrder.filter((code) => codes.includes(code));
}
