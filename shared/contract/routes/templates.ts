import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import {
  createTemplateRequest,
  deletedTemplate,
  getTemplateQuery,
  listTemplatesQuery,
  templateList,
  templatePath,
  template as templateSchema,
  updateTemplateRequest,
} from '../schemas/template.ts';

const head = {
  id: 'tpl_01k9zq3v5c8r2m4n6p7s9t0wxy',
  object: 'template',
  name: 'Order sent',
  subject: 'Order {{order}} is on its way',
  version: 1,
  created_at: '2026-11-21T10:30:00.000Z',
  updated_at: '2026-11-21T10:30:00.000Z',
};
const written = {
  html: '<p>Hello {{firstName|there}}, order {{order}} is on its way.</p>',
  text: 'Hello {{firstName|there}}, order {{order}} is on its way.',
};
const template = {
  ...head,
  preheader: null,
  ...written,
  content: null,
  variables: [
    { key: 'order', type: 'string', fallback_value: null },
    { key: 'firstName', type: 'string', fallback_value: null },
  ],
};

export const listTemplatesRoute = {
  id: 'templates.list',
  method: 'GET',
  path: '/api/v1/templates',
  group: 'templates',
  summary: text({ en: 'List templates', fr: 'Lister les modèles' }),
  description: text({
    en: 'Newest first, without their content.',
    fr: 'Du plus récent au plus ancien, sans leur contenu.',
  }),
  access: 'campaigns:read',
  throttle: 'administration',
  request: { query: listTemplatesQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: templateList,
      example: { object: 'list', data: [head], has_more: false, next_cursor: null },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/templates/list.ts' },
} as const satisfies Route;

export const createTemplateRoute = {
  id: 'templates.create',
  method: 'POST',
  path: '/api/v1/templates',
  group: 'templates',
  summary: text({ en: 'Create a template', fr: 'Créer un modèle' }),
  description: text({
    en: 'The body is either `html` and `text`, or `content`. The template can be used immediately. At most 1,000 templates per workspace.',
    fr: 'Le corps est soit `html` et `text`, soit `content`. Le modèle peut servir immédiatement. 1 000 modèles au plus par espace.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: { body: createTemplateRequest, example: { name: head.name, subject: head.subject, ...written } },
  responses: [
    {
      status: 201,
      description: text({ en: 'The template.', fr: 'Le modèle.' }),
      schema: templateSchema,
      example: template,
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/templates/create.ts' },
} as const satisfies Route;

export const getTemplateRoute = {
  id: 'templates.get',
  method: 'GET',
  path: '/api/v1/templates/{id}',
  group: 'templates',
  summary: text({ en: 'Get a template', fr: 'Obtenir un modèle' }),
  description: text({
    en: 'The content of the template with its variables, in the newest version or in the one that an email was made from.',
    fr: 'Le contenu du modèle avec ses variables, dans la version la plus récente ou dans celle dont un e-mail est issu.',
  }),
  access: 'campaigns:read',
  throttle: 'administration',
  request: { path: templatePath, query: getTemplateQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'The template.', fr: 'Le modèle.' }),
      schema: templateSchema,
      example: template,
    },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/templates/get.ts' },
} as const satisfies Route;

export const updateTemplateRoute = {
  id: 'templates.update',
  method: 'PATCH',
  path: '/api/v1/templates/{id}',
  group: 'templates',
  summary: text({ en: 'Change a template', fr: 'Modifier un modèle' }),
  description: text({
    en: 'Changes the given fields. A change of the content creates a new version; earlier versions are kept. `content` replaces `html` and `text`, and vice versa.',
    fr: 'Modifie les champs donnés. Un changement du contenu crée une nouvelle version ; les précédentes sont conservées. `content` remplace `html` et `text`, et inversement.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: { path: templatePath, body: updateTemplateRequest, example: { subject: head.subject } },
  responses: [
    {
      status: 200,
      description: text({ en: 'The changed template.', fr: 'Le modèle modifié.' }),
      schema: templateSchema,
      example: template,
    },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/templates/update.ts' },
} as const satisfies Route;

export const deleteTemplateRoute = {
  id: 'templates.delete',
  method: 'DELETE',
  path: '/api/v1/templates/{id}',
  group: 'templates',
  summary: text({ en: 'Delete a template', fr: 'Supprimer un modèle' }),
  description: text({
    en: 'Deletes all its versions. Emails and campaigns that were made from it keep their content.',
    fr: 'Supprime toutes ses versions. Les e-mails et campagnes qui en sont issus gardent leur contenu.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: { path: templatePath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The template is deleted.', fr: 'Le modèle est supprimé.' }),
      schema: deletedTemplate,
      example: { object: 'template', id: head.id, deleted: true },
    },
  ],
  errors: ['not_found'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/templates/delete.ts' },
} as const satisfies Route;

export const templateRoutes: readonly Route[] = [
  listTemplatesRoute,
  createTemplateRoute,
  getTemplateRoute,
  updateTemplateRoute,
  deleteTemplateRoute,
];
