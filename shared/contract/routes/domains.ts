import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { domainDetail, domainList, domainPath, listDomainsQuery } from '../schemas/domain.ts';

const listed = { object: 'domain', id: 'example.com', name: 'example.com', verified: true };
const records = [
  {
    purpose: 'dkim',
    type: 'CNAME',
    name: 'abc._domainkey.example.com',
    value: 'abc.dkim.amazonses.com',
    status: 'verified',
  },
];

export const listDomainsRoute = {
  id: 'domains.list',
  method: 'GET',
  path: '/api/v1/domains',
  group: 'domains',
  summary: text({ en: 'List sending domains', fr: 'Lister les domaines d’envoi' }),
  description: text({
    en: 'The domains of the workspace, by name.',
    fr: 'Les domaines de l’espace, par nom.',
  }),
  access: 'key',
  throttle: 'administration',
  request: { query: listDomainsQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: domainList,
      example: { object: 'list', data: [listed], has_more: false, next_cursor: null },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/domains/list.ts' },
} as const satisfies Route;

export const getDomainRoute = {
  id: 'domains.get',
  method: 'GET',
  path: '/api/v1/domains/{id}',
  group: 'domains',
  summary: text({ en: 'Get a sending domain', fr: 'Obtenir un domaine d’envoi' }),
  description: text({
    en: 'The domain with the DNS records to publish, and their current state at the provider.',
    fr: 'Le domaine avec les enregistrements DNS à publier, et leur état actuel chez le prestataire.',
  }),
  access: 'key',
  throttle: 'administration',
  request: { path: domainPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The domain.', fr: 'Le domaine.' }),
      schema: domainDetail,
      example: { ...listed, mail_from: 'mail.example.com', records },
    },
  ],
  errors: ['not_found'],
  needs: { table: 'read', email: ['identity'] },
  function: { entry: 'functions/api/domains/get.ts' },
} as const satisfies Route;

export const domainRoutes: readonly Route[] = [listDomainsRoute, getDomainRoute];
