import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { createKeyRequest, deletedKey, keyList, keyPath, keyWithSecret, listKeysQuery } from '../schemas/key.ts';

const key = {
  object: 'key',
  id: 'key_01k9zq2m4n6p8q0r2s4t6v8w0x',
  name: 'Nightly import',
  last_four: 'k3Tq',
  scopes: ['subscribers:write'],
  parent_id: 'key_01k9zq1b3d5f7h9k1m3p5r7t9v',
  approval: null,
  expires_at: '2026-12-21T09:30:00.000Z',
  last_used_at: null,
  created_at: '2026-11-21T10:30:00.000Z',
  revoked_at: null,
};

export const listKeysRoute = {
  id: 'keys.list',
  method: 'GET',
  path: '/api/v1/keys',
  group: 'keys',
  summary: text({ en: 'List keys', fr: 'Lister les clés' }),
  description: text({
    en: 'The keys of the workspace, newest first, without the keys themselves. An expired one is listed for 30 days.',
    fr: 'Les clés de l’espace, de la plus récente à la plus ancienne, sans les clés elles-mêmes. Une clé expirée est listée 30 jours.',
  }),
  access: 'keys:write',
  throttle: 'administration',
  request: { query: listKeysQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: keyList,
      example: { object: 'list', data: [key], has_more: false, next_cursor: null },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/keys/list.ts' },
} as const satisfies Route;

export const createKeyRoute = {
  id: 'keys.create',
  method: 'POST',
  path: '/api/v1/keys',
  group: 'keys',
  summary: text({ en: 'Create a key', fr: 'Créer une clé' }),
  description: text({
    en: 'A child of the key of this call: with some of its scopes, within its rate limit, revoked with it. It cannot have `keys:write` or `subscribers:erase`. A key has at most 20 living children (409). Takes no `Idempotency-Key`: without an answer, look in the list and revoke.',
    fr: 'Une clé fille de la clé de cet appel : avec une partie de ses portées, dans sa limite de débit, révoquée avec elle. Elle ne peut avoir ni `keys:write` ni `subscribers:erase`. Une clé a au plus 20 filles valides (409). Sans `Idempotency-Key` : faute de réponse, cherchez dans la liste et révoquez.',
  }),
  access: 'keys:write',
  throttle: 'administration',
  request: {
    body: createKeyRequest,
    example: { name: key.name, scopes: key.scopes, expires_at: '2026-12-21T10:30:00+01:00' },
  },
  responses: [
    {
      status: 201,
      description: text({ en: 'The key, once.', fr: 'La clé, une seule fois.' }),
      schema: keyWithSecret,
      example: { ...key, key: 'mr_live_…' },
    },
  ],
  errors: ['conflict', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/keys/create.ts' },
} as const satisfies Route;

export const revokeKeyRoute = {
  id: 'keys.delete',
  method: 'DELETE',
  path: '/api/v1/keys/{id}',
  group: 'keys',
  summary: text({ en: 'Revoke a key', fr: 'Révoquer une clé' }),
  description: text({
    en: 'Only a child of the key of this call (else 404), from its next call on. It stays in the list until 30 days after its end.',
    fr: 'Seulement une fille de la clé de cet appel (sinon 404), dès son prochain appel. Elle reste dans la liste jusqu’à 30 jours après sa fin.',
  }),
  access: 'keys:write',
  throttle: 'administration',
  request: { path: keyPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The key is revoked.', fr: 'La clé est révoquée.' }),
      schema: deletedKey,
      example: { object: 'key', id: key.id, deleted: true },
    },
  ],
  errors: ['not_found'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/keys/delete.ts' },
} as const satisfies Route;

export const keyRoutes: readonly Route[] = [listKeysRoute, createKeyRoute, revokeKeyRoute];
