import { text } from '../../language/text.ts';
import type { Group, Route } from '../route.ts';
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

const group: Group = {
  name: { en: 'Templates', fr: 'Modèles' },
  description: {
    en: 'Messages with variables, written once: a single email gives the values (`template` of `POST /emails`), a campaign begins with a copy (`template` of `POST /campaigns`).',
    fr: 'Des messages à variables, écrits une fois : un e-mail à l’unité donne les valeurs (`template` de `POST /emails`), une campagne commence par une copie (`template` de `POST /campaigns`).',
  },
};

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
  group,
  summary: text({ en: 'List templates', fr: 'Lister les modèles' }),
  description: text({
    en: 'Newest first, without what they say.',
    fr: 'Du plus récent au plus ancien, sans leur contenu.',
  }),
  access: 'campaigns:read',
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
  group,
  summary: text({ en: 'Create a template', fr: 'Créer un modèle' }),
  description: text({
    en: 'The body is either `html` and `text`, or `content`. It can be sent at once; at most 1,000 templates per workspace.',
    fr: 'Le corps est soit `html` et `text`, soit `content`. Il peut servir aussitôt ; 1 000 modèles au plus par espace.',
  }),
  access: 'campaigns:write',
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
  group,
  summary: text({ en: 'Get a template', fr: 'Obtenir un modèle' }),
  description: text({
    en: 'What it says, with its variables: the newest version, or the one that an email was made of.',
    fr: 'Ce qu’il dit, avec ses variables : la version la plus récente, ou celle dont un e-mail est fait.',
  }),
  access: 'campaigns:read',
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
  group,
  summary: text({ en: 'Change a template', fr: 'Modifier un modèle' }),
  description: text({
    en: 'Changes what is given. New words make a new version; the earlier ones are kept. `content` takes the place of `html` and `text`, and they of it.',
    fr: 'Modifie ce qui est donné. De nouveaux mots font une nouvelle version ; les précédentes sont gardées. `content` prend la place de `html` et `text`, et inversement.',
  }),
  access: 'campaigns:write',
  request: { path: templatePath, body: updateTemplateRequest, example: { subject: head.subject } },
  responses: [
    {
      status: 200,
      description: text({ en: 'The template as it now stands.', fr: 'Le modèle tel qu’il est désormais.' }),
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
  group,
  summary: text({ en: 'Delete a template', fr: 'Supprimer un modèle' }),
  description: text({
    en: 'With all its versions. Emails and campaigns made of it keep what it said.',
    fr: 'Avec toutes ses versions. Les e-mails et campagnes qui en sont faits gardent ce qu’il disait.',
  }),
  access: 'campaigns:write',
  request: { path: templatePath },
  responses: [
    {
      status: 200,
      description: text({ en: 'It is gone.', fr: 'Il n’existe plus.' }),
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
