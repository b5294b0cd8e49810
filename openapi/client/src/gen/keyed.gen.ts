/** The paths of POST calls that take an `Idempotency-Key`. */
export const keyedCalls: ReadonlySet<string> = new Set([
  '/api/v1/emails',
  '/api/v1/emails/batch',
  '/api/v1/segments',
  '/api/v1/topics',
  '/api/v1/campaigns',
  '/api/v1/campaigns/{id}/archive',
  '/api/v1/campaigns/{id}/duplicate',
  '/api/v1/campaigns/{id}/test',
  '/api/v1/campaigns/{id}/schedule',
  '/api/v1/campaigns/{id}/unschedule',
  '/api/v1/campaigns/{id}/pause',
  '/api/v1/campaigns/{id}/resume',
  '/api/v1/campaigns/{id}/cancel',
  '/api/v1/webhooks/{id}/rotate',
  '/api/v1/domains',
  '/api/v1/senders',
]);
