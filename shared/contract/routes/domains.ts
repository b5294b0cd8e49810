import { text } from '../../language/text.ts';
import type { Group, Route } from '../route.ts';
import { domainDetail, domainList, domainPath, listDomainsQuery } from '../schemas/domain.ts';

const group: Group = {
  name: { en: 'Domains', fr: 'Domaines' },
  description: {
    en: 'The sending domains of the workspace and the DNS records they need. The operator adds them.',
    fr: 'Les domaines d’envoi de l’espace et les enregistrements DNS qu’il leur faut. L’exploitant les ajoute.',
  },
};

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
  group,
  summary: text({ en: 'List sending domains', fr: 'Lister les domaines d’envoi' }),
  description: text({
    en: 'The domains of the workspace, by name.',
    fr: 'Les domaines de l’espace, par nom.',
  }),
  access: 'key',
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
  group,
  summary: text({ en: 'Get a sending domain', fr: 'Obtenir un domaine d’envoi' }),
  description: text({
    en: 'One domain with the records to publish and their state, as the provider sees them at this moment.',
    fr: 'Un domaine avec les enregistrements à publier et leur état, tels que le prestataire les voit à cet instant.',
  }),
  access: 'key',
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
