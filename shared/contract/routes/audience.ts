import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { audience, evaluateAudienceRequest } from '../schemas/audience.ts';

export const evaluateAudienceRoute = {
  id: 'audience.evaluate',
  method: 'POST',
  path: '/api/v1/audience',
  group: 'campaigns',
  summary: text({
    en: 'Count the people a campaign would reach',
    fr: 'Compter les personnes qu’une campagne atteindrait',
  }),
  description: text({
    en: 'Read-only. Without `to`: the number of people that a campaign to the whole list would reach now. With `to`: whether each of these addresses would be reached, and why not. The list of excluded addresses can be long: send `Accept-Encoding: gzip`, otherwise it may be too large to be answered.',
    fr: 'Lecture seule. Sans `to` : le nombre de personnes qu’une campagne à toute la liste atteindrait maintenant. Avec `to` : si chacune de ces adresses serait atteinte, et sinon pourquoi. La liste des adresses exclues peut être longue : envoyez `Accept-Encoding: gzip`, faute de quoi elle peut être trop volumineuse pour être renvoyée.',
  }),
  access: 'subscribers:read',
  throttle: 'administration',
  request: {
    body: evaluateAudienceRequest,
    bodyOptional: true,
    example: { to: ['ada@example.net', 'Ada@Example.net', 'grace@example.net', 'nobody'] },
  },
  responses: [
    {
      status: 200,
      description: text({ en: 'The audience.', fr: 'L’audience.' }),
      schema: audience,
      example: {
        object: 'audience',
        recipients: 1,
        audience: {
          requested: 4,
          duplicates: 1,
          retained: 1,
          excluded: 2,
          reasons: {
            invalid: 1,
            not_in_list: 1,
            pending: 0,
            unsubscribed: 0,
            bounced: 0,
            complained: 0,
            suppressed: 0,
            outside_segment: 0,
          },
          excluded_addresses: [
            { email: 'grace@example.net', reason: 'not_in_list' },
            { email: 'nobody', reason: 'invalid' },
          ],
        },
      },
    },
  ],
  errors: ['validation_error'],
  needs: { table: 'read' },
  // Lambda gives a whole processor from 1,769 MB: the list is parsed, compared and compressed within the call.
  function: { entry: 'functions/api/audience/evaluate.ts', memoryMegabytes: 1769, timeoutSeconds: 29 },
} as const satisfies Route;

export const audienceRoutes: readonly Route[] = [evaluateAudienceRoute];
