import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { idempotencyHeaders, replayHeader } from '../schemas/fields.ts';
import {
  createSenderRequest,
  deletedSender,
  listSendersQuery,
  sender,
  senderList,
  senderPath,
} from '../schemas/sender.ts';

const example = { object: 'sender', email: 'hello@example.com', name: 'Acme', default: true };

export const listSendersRoute = {
  id: 'senders.list',
  method: 'GET',
  path: '/api/v1/senders',
  group: 'domains',
  summary: text({ en: 'List senders', fr: 'Lister les expéditeurs' }),
  description: text({
    en: 'The senders of the workspace, newest first.',
    fr: 'Les expéditeurs de l’espace, du plus récent au plus ancien.',
  }),
  access: 'key',
  throttle: 'administration',
  request: { query: listSendersQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: senderList,
      example: { object: 'list', data: [example], has_more: false, next_cursor: null },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/senders/list.ts' },
} as const satisfies Route;

export const createSenderRoute = {
  id: 'senders.create',
  method: 'POST',
  path: '/api/v1/senders',
  group: 'domains',
  summary: text({ en: 'Add or rename a sender', fr: 'Ajouter ou renommer un expéditeur' }),
  description: text({
    en: 'A campaign and the service’s own messages to subscribers are sent from a sender. Its domain must be verified (422 `unverified_from_domain`). If there is a sender with this address, the given fields are changed. At most 100 senders per workspace.',
    fr: 'Une campagne et les messages du service aux abonnés partent d’un expéditeur. Son domaine doit être vérifié (422 `unverified_from_domain`). S’il existe un expéditeur avec cette adresse, les champs donnés sont modifiés. 100 expéditeurs au plus par espace.',
  }),
  access: 'domains:write',
  throttle: 'administration',
  request: {
    headers: idempotencyHeaders('hello-sender'),
    body: createSenderRequest,
    example: { email: example.email, name: example.name, default: true },
  },
  responses: [
    { status: 201, description: text({ en: 'Added.', fr: 'Ajouté.' }), schema: sender, headers: replayHeader, example },
    {
      status: 200,
      description: text({ en: 'Changed.', fr: 'Modifié.' }),
      schema: sender,
      headers: replayHeader,
      example,
    },
  ],
  outcomes: { created: { status: 201 }, updated: { status: 200 } },
  keepsAnswer: true,
  errors: ['conflict', 'idempotency_key_reused', 'unverified_from_domain', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/senders/create.ts' },
} as const satisfies Route;

export const deleteSenderRoute = {
  id: 'senders.delete',
  method: 'DELETE',
  path: '/api/v1/senders/{email}',
  group: 'domains',
  summary: text({ en: 'Delete a sender', fr: 'Supprimer un expéditeur' }),
  description: text({
    en: 'The default sender can only be deleted as the last one (409).',
    fr: 'L’expéditeur par défaut ne peut être supprimé qu’en dernier (409).',
  }),
  access: 'domains:write',
  throttle: 'administration',
  request: { path: senderPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The sender is deleted.', fr: 'L’expéditeur est supprimé.' }),
      schema: deletedSender,
      example: { object: 'sender', id: 'news@example.com', email: 'news@example.com', deleted: true },
    },
  ],
  errors: ['not_found', 'conflict'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/senders/delete.ts' },
} as const satisfies Route;

export const senderRoutes: readonly Route[] = [listSendersRoute, createSenderRoute, deleteSenderRoute];
