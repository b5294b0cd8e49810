import { text } from '../../language/text.ts';
import type { Route } from '../route.ts';
import { audience, evaluateAudienceRequest } from '../schemas/audience.ts';
import { campaignsGroup } from './campaigns.ts';

export const evaluateAudienceRoute = {
  id: 'audience.evaluate',
  method: 'POST',
  path: '/api/v1/audience',
  group: campaignsGroup,
  summary: text({ en: 'Count whom a campaign would reach', fr: 'Compter qui une campagne atteindrait' }),
  description: text({
    en: 'Read-only. Without `to`, the number of people whom a campaign to the whole list would reach now. With `to`, what becomes of each of these addresses. The list of excluded addresses can be long: accept gzip (`Accept-Encoding: gzip`) to be able to receive it whole.',
    fr: 'Lecture seule. Sans `to`, le nombre de personnes qu’une campagne à toute la liste atteindrait maintenant. Avec `to`, ce que devient chacune de ces adresses. La liste des adresses exclues peut être longue : acceptez gzip (`Accept-Encoding: gzip`) pour pouvoir la recevoir entière.',
  }),
  access: 'subscribers:read',
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
            left_kind: 0,
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
  // One whole processor: the list is parsed, compared, written and compressed within the call.
  function: { entry: 'functions/api/audience/evaluate.ts', memoryMegabytes: 1769, timeoutSeconds: 29 },
} as const satisfies Route;

export const audienceRoutes: readonly Route[] = [evaluateAudienceRoute];
