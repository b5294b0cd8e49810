import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { idempotencyHeaders, replayHeader } from '../schemas/fields.ts';
import {
  createSegmentRequest,
  deletedSegment,
  listSegmentsQuery,
  noQuery,
  previewSegmentRequest,
  segmentList,
  segmentPath,
  segmentPreview,
  segment as segmentSchema,
  updateSegmentRequest,
} from '../schemas/segment.ts';

const rule = { all: [{ tag: 'vip' }, { field: 'city', operator: 'equals', value: 'Paris' }] };
const segment = {
  object: 'segment',
  id: 'seg_01k9zq3v5c8r2m4n6p7s9t0wxy',
  name: 'Paris',
  rule,
  created_at: '2026-11-21T10:30:00.000Z',
  updated_at: '2026-11-21T10:30:00.000Z',
};
const renamed = { ...segment, name: 'Paris, first customers', updated_at: '2026-11-22T09:00:00.000Z' };
const person = {
  object: 'subscriber',
  email: 'ada@example.net',
  status: 'subscribed',
  firstName: 'Ada',
  lastName: 'Lovelace',
  tags: ['vip'],
  fields: { city: 'Paris' },
  created_at: '2026-11-21T10:30:00.000Z',
  updated_at: '2026-11-21T10:30:00.000Z',
  confirmed_at: '2026-11-21T10:31:00.000Z',
  unsubscribed_at: null,
};

export const listSegmentsRoute = {
  id: 'segments.list',
  method: 'GET',
  path: '/api/v1/segments',
  group: 'segments',
  summary: text({ en: 'List segments', fr: 'Lister les segments' }),
  description: text({
    en: 'Newest first.',
    fr: 'Du plus récent au plus ancien.',
  }),
  access: 'campaigns:read',
  throttle: 'administration',
  request: { query: listSegmentsQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'One page.', fr: 'Une page.' }),
      schema: segmentList,
      example: { object: 'list', data: [segment], has_more: false, next_cursor: null },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read', secret: true },
  function: { entry: 'functions/api/segments/list.ts' },
} as const satisfies Route;

export const getSegmentRoute = {
  id: 'segments.get',
  method: 'GET',
  path: '/api/v1/segments/{id}',
  group: 'segments',
  summary: text({ en: 'Get a segment', fr: 'Obtenir un segment' }),
  description: text({
    en: 'The segment with its rule.',
    fr: 'Le segment avec sa règle.',
  }),
  access: 'campaigns:read',
  throttle: 'administration',
  request: { path: segmentPath, query: noQuery },
  responses: [
    {
      status: 200,
      description: text({ en: 'The segment.', fr: 'Le segment.' }),
      schema: segmentSchema,
      example: segment,
    },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read' },
  function: { entry: 'functions/api/segments/get.ts' },
} as const satisfies Route;

export const createSegmentRoute = {
  id: 'segments.create',
  method: 'POST',
  path: '/api/v1/segments',
  group: 'segments',
  summary: text({ en: 'Create a segment', fr: 'Créer un segment' }),
  description: text({
    en: 'Campaigns can target it from now on. At most 200 segments per workspace.',
    fr: 'Des campagnes peuvent désormais le cibler. 200 segments au plus par espace.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: {
    headers: idempotencyHeaders('paris-segment'),
    body: createSegmentRequest,
    example: { name: segment.name, rule },
  },
  responses: [
    {
      status: 201,
      description: text({ en: 'The segment.', fr: 'Le segment.' }),
      schema: segmentSchema,
      headers: replayHeader,
      example: segment,
    },
  ],
  keepsAnswer: true,
  errors: ['conflict', 'idempotency_key_reused', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/segments/create.ts' },
} as const satisfies Route;

export const updateSegmentRoute = {
  id: 'segments.update',
  method: 'PATCH',
  path: '/api/v1/segments/{id}',
  group: 'segments',
  summary: text({ en: 'Change a segment', fr: 'Modifier un segment' }),
  description: text({
    en: 'Changes the given fields. Drafts and scheduled campaigns that target it use the new rule; campaigns already sent keep their recipients. People who are in it only by the new rule have not entered it for automations.',
    fr: 'Modifie les champs donnés. Les brouillons et les campagnes programmées qui le ciblent suivent la nouvelle règle ; les campagnes déjà envoyées gardent leurs destinataires. Pour les automatisations, les personnes qui n’en font partie que par la nouvelle règle n’y sont pas entrées.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: { path: segmentPath, body: updateSegmentRequest, example: { name: renamed.name } },
  responses: [
    {
      status: 200,
      description: text({ en: 'The changed segment.', fr: 'Le segment modifié.' }),
      schema: segmentSchema,
      example: renamed,
    },
  ],
  errors: ['not_found', 'conflict', 'validation_error'],
  needs: { table: 'readWrite', queues: ['automation'] },
  function: { entry: 'functions/api/segments/update.ts' },
} as const satisfies Route;

export const deleteSegmentRoute = {
  id: 'segments.delete',
  method: 'DELETE',
  path: '/api/v1/segments/{id}',
  group: 'segments',
  summary: text({ en: 'Delete a segment', fr: 'Supprimer un segment' }),
  description: text({
    en: 'Refused while a draft, a scheduled campaign or an active automation uses it: `details.campaigns` or `details.automations` names them. Campaigns already sent keep their recipients.',
    fr: 'Refusé tant qu’un brouillon, une campagne programmée ou une automatisation active l’utilise : `details.campaigns` ou `details.automations` les nomme. Les campagnes déjà envoyées gardent leurs destinataires.',
  }),
  access: 'campaigns:write',
  throttle: 'administration',
  request: { path: segmentPath },
  responses: [
    {
      status: 200,
      description: text({ en: 'The segment is deleted.', fr: 'Le segment est supprimé.' }),
      schema: deletedSegment,
      example: { object: 'segment', id: segment.id, deleted: true },
    },
  ],
  errors: ['not_found', 'conflict', 'validation_error'],
  needs: { table: 'readWrite' },
  function: { entry: 'functions/api/segments/delete.ts' },
} as const satisfies Route;

export const previewSegmentRoute = {
  id: 'segments.preview',
  method: 'POST',
  path: '/api/v1/segments/preview',
  group: 'segments',
  summary: text({ en: 'Count the people in a segment', fr: 'Compter les personnes d’un segment' }),
  description: text({
    en: 'Read-only: the number of people whom a campaign to this rule, or to this segment, would reach now, and ten of them.',
    fr: 'Lecture seule : le nombre de personnes qu’une campagne ciblant cette règle ou ce segment atteindrait maintenant, et dix d’entre elles.',
  }),
  access: 'subscribers:read',
  throttle: 'administration',
  request: { body: previewSegmentRequest, example: { rule } },
  responses: [
    {
      status: 200,
      description: text({ en: 'The count and the sample.', fr: 'Le compte et l’échantillon.' }),
      schema: segmentPreview,
      example: { object: 'segment_preview', recipients: 320, sample: [person] },
    },
  ],
  errors: ['not_found', 'validation_error'],
  needs: { table: 'read' },
  // As for the count of an audience: the whole index is read within the call.
  function: { entry: 'functions/api/segments/preview.ts', memoryMegabytes: 1769, timeoutSeconds: 29 },
} as const satisfies Route;

export const segmentRoutes: readonly Route[] = [
  listSegmentsRoute,
  createSegmentRoute,
  previewSegmentRoute,
  getSegmentRoute,
  updateSegmentRoute,
  deleteSegmentRoute,
];
