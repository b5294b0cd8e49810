import * as z from 'zod';
import { inEachLanguage, type Language, nameOfLanguage } from '../../language/languages.ts';
import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { account, apiMap, usage, usageQuery } from '../schemas/account.ts';
import { describe } from '../schemas/fields.ts';

export const apiMapRoute = {
  id: 'api.map',
  method: 'GET',
  path: '/api/v1',
  group: 'account',
  summary: text({ en: 'Map of the API', fr: 'Carte de l’API' }),
  description: text({
    en: 'The entry points, the scopes and the addresses of the reference.',
    fr: 'Les points d’entrée, les portées et les adresses de la référence.',
  }),
  access: 'public',
  throttle: 'others',
  request: {},
  responses: [{ status: 200, description: text({ en: 'The map.', fr: 'La carte.' }), schema: apiMap }],
  errors: [],
  needs: {},
  function: { entry: 'functions/api/account/map.ts' },
} as const satisfies Route;

export const accountRoute = {
  id: 'account.get',
  method: 'GET',
  path: '/api/v1/me',
  group: 'account',
  summary: text({ en: 'Account of the key', fr: 'Compte de la clé' }),
  description: text({
    en: 'The workspace, scopes, plan, remaining quota, domains and senders.',
    fr: 'L’espace, les portées, le forfait, le quota restant, les domaines et les expéditeurs.',
  }),
  access: 'key',
  throttle: 'lookups',
  request: {},
  responses: [{ status: 200, description: text({ en: 'The account.', fr: 'Le compte.' }), schema: account }],
  errors: [],
  needs: { table: 'read' },
  function: { entry: 'functions/api/account/get.ts' },
} as const satisfies Route;

export const usageRoute = {
  id: 'account.usage',
  method: 'GET',
  path: '/api/v1/usage',
  group: 'account',
  summary: text({ en: 'Usage by day', fr: 'Usage par jour' }),
  description: text({
    en: 'What was sent on each of the last days and what became of it, the quota of this month and the reputation.',
    fr: 'Ce qui a été envoyé chacun des derniers jours et ce que c’est devenu, le quota de ce mois et la réputation.',
  }),
  access: 'key',
  throttle: 'administration',
  request: { query: usageQuery },
  responses: [{ status: 200, description: text({ en: 'The usage.', fr: 'L’usage.' }), schema: usage }],
  errors: ['validation_error'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/account/usage.ts' },
} as const satisfies Route;

const document = describe(z.looseObject({}), { en: 'OpenAPI 3.1 document.', fr: 'Document OpenAPI 3.1.' });

/** The path of the OpenAPI document in a language. */
export const referencePath = (language: Language) => `/api/v1/openapi.${language}.json`;

const referenceIn = (language: Language) =>
  ({
    id: `reference.${language}`,
    method: 'GET',
    path: referencePath(language),
    group: 'account',
    summary: text({
      en: `Reference in ${nameOfLanguage(language, 'en')}`,
      fr: `Référence en ${nameOfLanguage(language, 'fr')}`,
    }),
    description: text({ en: 'This document.', fr: 'Ce document.' }),
    access: 'public',
    throttle: 'documents',
    cacheSeconds: 3600,
    crossOrigin: true,
    request: {},
    responses: [{ status: 200, description: text({ en: 'The document.', fr: 'Le document.' }), schema: document }],
    errors: [],
    needs: {},
    function: { entry: 'functions/api/reference/get.ts' },
  }) as const satisfies Route;

export const referenceRoutes = inEachLanguage(referenceIn);

export const accountRoutes: readonly Route[] = [
  apiMapRoute,
  accountRoute,
  usageRoute,
  ...Object.values(referenceRoutes),
];
