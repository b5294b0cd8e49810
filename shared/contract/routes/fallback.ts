import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';

/** Where API Gateway sends what no route takes, so that 404 and 405 come in the one error shape and are rate-limited. */
export const fallbackRoute = {
  id: 'fallback',
  method: 'GET',
  path: '/{proxy+}',
  group: { name: text({ en: 'None', fr: 'Aucun' }), description: text({ en: 'No route.', fr: 'Aucune route.' }) },
  summary: text({ en: 'Everything else', fr: 'Tout le reste' }),
  description: text({ en: '404 or 405.', fr: '404 ou 405.' }),
  access: 'public',
  request: {},
  responses: [],
  errors: ['not_found', 'validation_error'],
  needs: {},
  function: { entry: 'functions/api/fallback.ts' },
} as const satisfies Route;
