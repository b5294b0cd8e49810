import { parseWebhookMessage, wireWebhookMessage } from '../../../shared/queue/webhookMessage.ts';

describe('a message of the webhook queue', () => {
  const position = { workspace_id: 'ws_1', webhook_id: 'whk_1' };
  const expected = { workspaceId: 'ws_1', webhookId: 'whk_1' };

  it.each([
    [
      { kind: 'release', ...position },
      { kind: 'release', ...expected },
    ],
    [
      { kind: 'release', ...position, after: 'whd_1' },
      { kind: 'release', ...expected, after: 'whd_1' },
    ],
    [
      { kind: 'erase', ...position },
      { kind: 'erase', ...expected },
    ],
    [
      { kind: 'attempt', ...position, delivery_id: 'whd_1', tries: 2 },
      { kind: 'attempt', ...expected, deliveryId: 'whd_1', lane: 'live', tries: 2, deferrals: 0, twin: false },
    ],
    [
      { kind: 'attempt', ...position, delivery_id: 'whd_1', tries: 2, deferrals: 3, twin: true },
      { kind: 'attempt', ...expected, deliveryId: 'whd_1', lane: 'live', tries: 2, deferrals: 3, twin: true },
    ],
  ])('%j is parsed, and written in the same form', async (wire, message) => {
    expect(parseWebhookMessage(JSON.stringify(wire))).toEqual(message);
    expect(JSON.parse(wireWebhookMessage(parseWebhookMessage(JSON.stringify(wire))))).toMatchObject(wire);
  });
});
