import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import {
  createDomainRequest,
  deletedDomain,
  domainDetail,
  domainList,
  domainPath,
  listDomainsQuery,
} from '../schemas/domain.ts';
import { idempotencyHeaders, replayHeader } from '../schemas/fields.ts';

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

const added = {
  object: 'domain',
  id: 'example.org',
  name: 'example.org',
  verified: false,
  mail_from: 'mail.example.org',
  records: [
    {
      purpose: 'ownership',
      type: 'TXT',
      name: '_mailroom.example.org',
      value: 'mailroom-workspace=aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5bC7dE9f',
      status: 'pending',
    },
  ],
};

export const createDomainRoute = {
  id: 'domains.create',
  method: 'POST',
  path: '/api/v1/domains',
  group: 'domains',
  summary: text({ en: 'Add a sending domain', fr: 'Ajouter un domaine d’envoi' }),
  description: text({
    en: 'Answers the DNS records to publish. Mail can be sent from the domain once it is verified: the provider has found its records, and the TXT record of purpose `ownership` names this workspace. A domain that another workspace holds is refused (409). At most 50 domains per workspace, and 60 of these calls and deletions an hour.',
    fr: 'Donne les enregistrements DNS à publier. On peut envoyer depuis le domaine dès qu’il est vérifié : le prestataire a trouvé ses enregistrements, et l’enregistrement TXT de rôle `ownership` désigne cet espace. Un domaine que détient un autre espace est refusé (409). 50 domaines au plus par espace, et 60 de ces appels et suppressions par heure.',
  }),
  access: 'domains:write',
  throttle: 'administration',
  request: {
    headers: idempotencyHeaders('example-org-domain'),
    body: createDomainRequest,
    example: { name: added.name },
  },
  responses: [
    {
      status: 201,
      description: text({ en: 'Added.', fr: 'Ajouté.' }),
      schema: domainDetail,
      headers: replayHeader,
      example: added,
    },
    {
      status: 200,
      description: text({ en: 'The workspace has it already.', fr: 'L’espace l’a déjà.' }),
      schema: domainDetail,
      headers: replayHeader,
      example: added,
    },
  ],
  outcomes: { created: { status: 201 }, existing: { status: 200 } },
  keepsAnswer: true,
  errors: ['conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite', email: ['identity', 'domains'], queues: ['webhook-delivery'] },
  // SES allows one call about domains a second, and repeats take their time.
  function: { entry: 'functions/api/domains/create.ts', timeoutSeconds: 29 },
} as const satisfies Route;

export const verifyDomainRoute = {
  id: 'domains.verify',
  method: 'POST',
  path: '/api/v1/domains/{id}/verify',
  group: 'domains',
  summary: text({ en: 'Verify a sending domain', fr: 'Vérifier un domaine d’envoi' }),
  description: text({
    en: 'Looks for the TXT record that names this workspace, and asks the provider. `verified` is true when both are there; DNS changes can take up to 72 hours. At most 10 times an hour for a domain.',
    fr: 'Cherche l’enregistrement TXT qui désigne cet espace et interroge le prestataire. `verified` est vrai quand les deux sont là ; des changements DNS peuvent prendre jusqu’à 72 heures. 10 fois par heure au plus pour un domaine.',
  }),
  access: 'domains:write',
  throttle: 'administration',
  request: { path: domainPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The domain as it is now.', fr: 'Le domaine tel qu’il est maintenant.' }),
      schema: domainDetail,
      example: added,
    },
  ],
  errors: ['not_found', 'conflict'],
  needs: { table: 'readWrite', email: ['identity', 'domains'], queues: ['webhook-delivery'] },
  function: { entry: 'functions/api/domains/verify.ts', timeoutSeconds: 29 },
} as const satisfies Route;

export const deleteDomainRoute = {
  id: 'domains.delete',
  method: 'DELETE',
  path: '/api/v1/domains/{id}',
  group: 'domains',
  summary: text({ en: 'Delete a sending domain', fr: 'Supprimer un domaine d’envoi' }),
  description: text({
    en: 'Nothing can be sent from it any more, and another workspace may prove it. Refused (409) while it has senders.',
    fr: 'Plus rien ne peut en partir, et un autre espace peut en apporter la preuve. Refusé (409) tant qu’il a des expéditeurs.',
  }),
  access: 'domains:write',
  throttle: 'administration',
  request: { path: domainPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The domain is deleted.', fr: 'Le domaine est supprimé.' }),
      schema: deletedDomain,
      example: { object: 'domain', id: 'example.org', deleted: true },
    },
  ],
  errors: ['not_found', 'conflict'],
  needs: { table: 'readWrite', email: ['domainRemoval'] },
  function: { entry: 'functions/api/domains/delete.ts', timeoutSeconds: 29 },
} as const satisfies Route;

export const domainRoutes: readonly Route[] = [
  listDomainsRoute,
  createDomainRoute,
  getDomainRoute,
  verifyDomainRoute,
  deleteDomainRoute,
];
