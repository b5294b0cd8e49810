import * as z from 'zod';
import { errorCodes } from '../../shared/contract/errors.ts';
import { pageQuery } from '../../shared/contract/schemas/list.ts';
import { scopeNames, scopes } from '../../shared/contract/scopes.ts';
import type { Language } from '../../shared/language/languages.ts';
import { textsOf } from '../../shared/language/text.ts';
import { usualRequestsPerMinute } from '../../shared/platform/config.ts';
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
    en: 'Single emails, subscribers, campaigns and webhooks. Bodies are JSON. `HEAD` is answered wherever `GET` is, and fields may be added to answers at any time.',
    fr: 'E-mails à l’unité, abonnés, campagnes et webhooks. Les corps sont en JSON. `HEAD` répond partout où `GET` répond, et des champs peuvent s’ajouter aux réponses à tout moment.',
  },
  authentication: {
    en: 'Send the API key of your workspace as `Authorization: Bearer <API_KEY>`, or as `X-Api-Key: <API_KEY>`. The two are equivalent; a call that carries both is refused. A key is shown once, when it is made: a lost one is revoked and replaced. Its scopes are chosen then and never change; each operation names the one it needs, and `GET /api/v1/me` tells those of a key.',
    fr: 'Envoyez la clé API de votre espace dans `Authorization: Bearer <API_KEY>`, ou dans `X-Api-Key: <API_KEY>`. Les deux sont équivalents ; un appel qui porte les deux est refusé. Une clé est montrée une seule fois, à sa création : une clé perdue est révoquée et remplacée. Ses portées sont choisies alors et ne changent jamais ; chaque opération nomme celle qu’il lui faut, et `GET /api/v1/me` donne celles d’une clé.',
  },
  scopes: { en: '| Scope | Unlocks |', fr: '| Portée | Permet |' },
  paging: {
    en: 'A list answers `data`, `has_more` and `next_cursor`. Pass `next_cursor` back as `cursor`, with the same filters, until it is null: there are no page numbers. `limit` takes {least} to {most} entries, {usual} when left out. A cursor is worth nothing for another workspace, list or filter.',
    fr: 'Une liste répond `data`, `has_more` et `next_cursor`. Renvoyez `next_cursor` dans `cursor`, avec les mêmes filtres, jusqu’à ce qu’il soit null : il n’y a pas de numéros de page. `limit` accepte de {least} à {most} entrées, {usual} par défaut. Un curseur ne vaut rien pour un autre espace, une autre liste ou un autre filtre.',
  },
  idempotency: {
    en: '`POST /api/v1/emails` takes an `Idempotency-Key`: one unique value per send. The same call with the same key is answered again, with `Idempotent-Replay: true`, and nothing is sent a second time. With another body it is refused (`idempotency_key_reused`). As long as the first call is under way, or nobody knows yet what became of it, the answer is `conflict` with `Retry-After`: wait, and send the same again.',
    fr: '`POST /api/v1/emails` accepte une `Idempotency-Key` : une valeur unique par envoi. Le même appel avec la même clé reçoit la même réponse, avec `Idempotent-Replay: true`, et rien n’est envoyé une seconde fois. Avec un autre corps, il est refusé (`idempotency_key_reused`). Tant que le premier appel est en cours, ou que son issue n’est pas connue, la réponse est `conflict` avec `Retry-After` : attendez, puis renvoyez la même chose.',
  },
  errors: {
    en: 'Every error has one shape. Logic reads `error.code`, or `name`, which says the same and never changes. `message` is for people: it follows `Accept-Language` and may be rephrased. `error.details` has what is needed to put the call right. A path that exists with other methods answers 405 with `Allow`; what is at no path, 404.',
    fr: 'Toutes les erreurs ont la même forme. Un programme lit `error.code`, ou `name`, qui dit la même chose et ne change jamais. `message` s’adresse aux humains : il suit `Accept-Language` et peut être reformulé. `error.details` contient ce qu’il faut pour corriger l’appel. Un chemin qui existe avec d’autres méthodes répond 405 avec `Allow` ; ce qui n’est à aucun chemin, 404.',
  },
  codes: { en: '| Code | Status | Meaning |', fr: '| Code | Statut | Sens |' },
  rateLimits: {
    en: 'A key may make {limit} calls a minute, unless this deployment says otherwise. Every answer tells where it stands: `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`, in Unix seconds. Beyond the limit the answer is 429 with `Retry-After`, in seconds. Calls without a usable key count by their network address. What the gateway answers before a key is looked at (a body that is too large, too many calls for the whole service, a function that took too long) has `X-RateLimit-Limit` only, and its message in every language.',
    fr: 'Une clé permet {limit} appels par minute, sauf si ce déploiement en décide autrement. Chaque réponse dit où l’on en est : `X-RateLimit-Limit`, `X-RateLimit-Remaining` et `X-RateLimit-Reset`, en secondes Unix. Au-delà, la réponse est 429 avec `Retry-After`, en secondes. Les appels sans clé valable sont comptés par adresse réseau. Ce que la passerelle répond avant de regarder la clé (corps trop volumineux, trop d’appels pour tout le service, fonction trop lente) n’a que `X-RateLimit-Limit`, et son message dans toutes les langues.',
  },
});

/** What holds for every operation, in Markdown; numbers and tables come from where they are decided. */
export function chaptersIn(language: Language): string {
  const say = (name: keyof typeof texts) => texts[name][language];
  const codes = Object.entries(errorCodes).map(([code, { status, text }]) => [`\`${code}\``, status, text[language]]);
  const unlocked = scopeNames.map((name) => [`\`${name}\``, scopes[name][language]]);
  const chapters = {
    authentication: [say('authentication'), table(say('scopes'), unlocked)],
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

function pageSizes(language: Language) {
  const { properties } = jsonSchemaOf(z.object(pageQuery), language, 'input') as {
    properties: { limit: { minimum: number; maximum: number; default: number } };
  };
  const { minimum: least, maximum: most, default: usual } = properties.limit;
  return { least, most, usual };
}

function filled(text: string, values: Readonly<Record<string, number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}

function table(head: string, rows: readonly (readonly unknown[])[]): string {
  const columns = head.split('|').length - 2;
  return [head, `|${' --- |'.repeat(columns)}`, ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
}
