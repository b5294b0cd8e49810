import * as z from 'zod';
import { inEachLanguage, type Language, nameOfLanguage } from '../../language/languages.ts';
import { text } from '../../language/text.ts';
import { describe } from '../describe.ts';
import type { Group, Route } from '../route.ts';
import { account, apiMap } from '../schemas/account.ts';

const group: Group = {
  name: { en: 'Map and account', fr: 'Carte et compte' },
  description: {
    en: 'What there is, and what a key may do.',
    fr: 'Ce qu’il y a, et ce qu’une clé peut faire.',
  },
};

export const apiMapRoute = {
  id: 'api.map',
  method: 'GET',
  path: '/api/v1',
  group,
  summary: text({ en: 'Map of the API', fr: 'Carte de l’API' }),
  description: text({
    en: 'Entry points, scopes and the addresses of the reference.',
    fr: 'Points d’entrée, portées et adresses de la référence.',
  }),
  access: 'public',
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
  group,
  summary: text({ en: 'Account of the key', fr: 'Compte de la clé' }),
  description: text({
    en: 'Workspace, scopes, plan, what is left of the quota, domains and senders.',
    fr: 'Espace, portées, forfait, reste du quota, domaines et expéditeurs.',
  }),
  access: 'key',
  request: {},
  responses: [{ status: 200, description: text({ en: 'The account.', fr: 'Le compte.' }), schema: account }],
  errors: [],
  needs: { table: 'read' },
  function: { entry: 'functions/api/account/get.ts' },
} as const satisfies Route;

const document = describe(z.looseObject({}), { en: 'OpenAPI 3.1 document.', fr: 'Document OpenAPI 3.1.' });

/** Where the reference in a language is served. */
export const referencePath = (language: Language) => `/api/v1/openapi.${language}.json`;

const referenceIn = (language: Language) =>
  ({
    id: `reference.${language}`,
    method: 'GET',
    path: referencePath(language),
    group,
    summary: text({
      en: `Reference in ${nameOfLanguage(language, 'en')}`,
      fr: `Référence en ${nameOfLanguage(language, 'fr')}`,
    }),
    description: text({ en: 'This document.', fr: 'Ce document.' }),
    access: 'public',
    crossOrigin: true,
    request: {},
    responses: [{ status: 200, description: text({ en: 'The document.', fr: 'Le document.' }), schema: document }],
    errors: [],
    needs: {},
    function: { entry: 'functions/api/reference/get.ts' },
  }) as const satisfies Route;

export const referenceRoutes = inEachLanguage(referenceIn);

export const accountRoutes: readonly Route[] = [apiMapRoute, accountRoute, ...Object.values(referenceRoutes)];
