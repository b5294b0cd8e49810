import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { idempotencyHeaders, replayHeader } from '../schemas/fields.ts';
import { noQuery } from '../schemas/segment.ts';
import {
  createTopicRequest,
  deletedTopic,
  listTopicsQuery,
  topicList,
  topicPath,
  topic as topicSchema,
  updateTopicRequest,
} from '../schemas/topic.ts';

const topic = {
  object: 'topic',
  id: 'top_3v5c8r2m4n6p7s9t0wxy01k9zq',
  name: 'Product news',
  description: 'What is new, once a month.',
  tag: 'category:product-news',
  default_subscription: 'opt_in',
  created_at: '2026-11-21T10:30:00.000Z',
};
const renamed = { ...topic, name: 'What is new' };

export const listTopicsRoute = {
  id: 'topics.list',
  method: 'GET',
  path: '/api/v1/topics',
  group: 'topics',
  summary: text({ en: 'List topics', fr: 'Lister les types d’e-mails' }),
  description: text({ en: 'Newest first.', fr: 'Du plus récent au plus ancien.' }),
  access: 'campaigns:read',
  throttle: 'administration',
  request: { query: listTopicsQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: topicList,
      example: { object: 'list', data: [topic], has_more: false, next_cursor: null },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/topics/list.ts' },
} as const satisfies Route;

export const getTopicRoute = {
  id: 'topics.get',
  method: 'GET',
  path: '/api/v1/topics/{id}',
  group: 'topics',
  summary: text({ en: 'Get a topic', fr: 'Obtenir un type d’e-mail' }),
  description: text({ en: 'The topic with its tag.', fr: 'Le type d’e-mail avec son étiquette.' }),
  access: 'campaigns:read',
  throttle: 'administration',
  request: { path: topicPath, query: noQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'The topic.', fr: 'Le type d’e-mail.' }),
      schema: topicSchema,
      example: topic,
    },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/topics/get.ts' },
} as const satisfies Route;

export const createTopicRoute = {
  id: 'topics.create',
  method: 'POST',
  path: '/api/v1/topics',
  group: 'topics',
  summary: text({ en: 'Create a topic', fr: 'Créer un type d’e-mail' }),
  description: text({
    en: 'From now on, people can leave the emails and campaigns with its tag one topic at a time. At most 20 topics per workspace. People who left the same tag while it was a topic before have still left it.',
    fr: 'Les personnes peuvent désormais quitter les e-mails et campagnes portant son étiquette, sans quitter le reste. 20 types au plus par espace. Qui avait quitté la même étiquette quand elle était déjà un type l’a toujours quittée.',
  }),
  access: 'workspace:write',
  throttle: 'administration',
  request: {
    headers: idempotencyHeaders('product-news-topic'),
    body: createTopicRequest,
    example: { name: topic.name, description: topic.description, tag: topic.tag },
  },
  responses: [
    {
      status: 201,
      description: text({ en: 'The topic.', fr: 'Le type d’e-mail.' }),
      schema: topicSchema,
      headers: replayHeader,
      example: topic,
    },
  ],
  keepsAnswer: true,
  errors: ['conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/topics/create.ts' },
} as const satisfies Route;

export const updateTopicRoute = {
  id: 'topics.update',
  method: 'PATCH',
  path: '/api/v1/topics/{id}',
  group: 'topics',
  summary: text({ en: 'Change a topic', fr: 'Modifier un type d’e-mail' }),
  description: text({
    en: 'Changes the given fields; `null` clears the description. Its tag and its identifier never change.',
    fr: 'Modifie les champs donnés ; `null` efface la description. Son étiquette et son identifiant ne changent jamais.',
  }),
  access: 'workspace:write',
  throttle: 'administration',
  request: { path: topicPath, body: updateTopicRequest, example: { name: renamed.name } },
  responses: [
    {
      status: 200,
      description: text({ en: 'The changed topic.', fr: 'Le type d’e-mail modifié.' }),
      schema: topicSchema,
      example: renamed,
    },
  ],
  errors: ['not_found', 'conflict', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/topics/update.ts' },
} as const satisfies Route;

export const deleteTopicRoute = {
  id: 'topics.delete',
  method: 'DELETE',
  path: '/api/v1/topics/{id}',
  group: 'topics',
  summary: text({ en: 'Delete a topic', fr: 'Supprimer un type d’e-mail' }),
  description: text({
    en: 'Refused while a draft, a scheduled campaign or an active automation uses it: `details.campaigns` or `details.automations` names them. What people chose stays stored, and applies again if its tag becomes a topic again.',
    fr: 'Refusé tant qu’un brouillon, une campagne programmée ou une automatisation active l’utilise : `details.campaigns` ou `details.automations` les nomme. Les choix des personnes restent conservés, et valent de nouveau si son étiquette redevient un type.',
  }),
  access: 'workspace:write',
  throttle: 'administration',
  request: { path: topicPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The topic is deleted.', fr: 'Le type d’e-mail est supprimé.' }),
      schema: deletedTopic,
      example: { object: 'topic', id: topic.id, deleted: true },
    },
  ],
  errors: ['not_found', 'conflict', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/topics/delete.ts' },
} as const satisfies Route;

export const topicRoutes: readonly Route[] = [
  listTopicsRoute,
  createTopicRoute,
  getTopicRoute,
  updateTopicRoute,
  deleteTopicRoute,
];
