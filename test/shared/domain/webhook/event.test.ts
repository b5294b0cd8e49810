import { isId } from '../../../../shared/domain/token/identifier.ts';
import { attemptsOf, isHeld } from '../../../../shared/domain/webhook/delivery.ts';
import { deliveriesOf, type NewEvent } from '../../../../shared/domain/webhook/event.ts';
import { newWebhook } from '../../../../shared/domain/webhook/webhook.ts';

const now = new Date('2026-11-21T10:00:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const webhook = (webhookId: string, fields: { enabled?: boolean; events?: NewEvent['type'][] } = {}) =>
  newWebhook(
    { workspaceId: 'ws_1', webhookId },
    { name: 'Test', url: 'https://example.com/', enabled: true, events: ['email.delivered'], ...fields },
    'sealed',
    now,
  );
const event = (cause: string, at = now): NewEvent => ({ type: 'email.delivered', cause, at, data: { n: 1 } });
const deliveriesFor = (happened: NewEvent, ...webhooks: ReturnType<typeof webhook>[]) =>
  deliveriesOf('ws_1', happened, webhooks, later(5));

describe('the deliveries of an event', () => {
  it('go to each webhook that asked for its type, with one body', () => {
    const other = webhook('whk_3', { events: ['email.bounced'] });
    const deliveries = deliveriesFor(event('a'), webhook('whk_1'), webhook('whk_2'), other);
    expect(deliveries.map(({ webhookId }) => webhookId)).toEqual(['whk_1', 'whk_2']);
    expect(new Set(deliveries.map(({ deliveryId }) => deliveryId)).size).toBe(2);
    expect(new Set(deliveries.map(({ body }) => body)).size).toBe(1);
    const [{ eventId = '', body = '' } = {}] = deliveries;
    expect(JSON.parse(body)).toEqual({
      id: eventId,
      type: 'email.delivered',
      created_at: now.toISOString(),
      data: { n: 1 },
    });
    expect(deliveriesFor(event('a'), other)).toEqual([]);
  });

  it('are the same when it is reported again, whenever that is', () => {
    const [first] = deliveriesFor(event('a'), webhook('whk_1'));
    const [again] = deliveriesOf('ws_1', event('a'), [webhook('whk_1')], later(500));
    expect(again).toEqual({ ...first, dueAt: later(500) });
  });

  it('have ids of their own that sort by the time of the event, like that of the event', () => {
    const times = [0, 0.001, 0.002, 1, 60, 86_400, 40_000_000];
    const deliveries = times.map((seconds) => deliveriesFor(event('same cause', later(seconds)), webhook('whk_1'))[0]);
    for (const ids of [deliveries.map((one) => one?.eventId ?? ''), deliveries.map((one) => one?.deliveryId ?? '')]) {
      expect([...ids].sort()).toEqual(ids);
      expect(new Set(ids).size).toBe(times.length);
    }
    expect(isId('evt', deliveries[0]?.eventId ?? '')).toBe(true);
    expect(isId('whd', deliveries[0]?.deliveryId ?? '')).toBe(true);
  });

  it('differ with the cause', () => {
    const ids = ['a', 'b', 'c'].map((cause) => deliveriesFor(event(cause), webhook('whk_1'))[0]?.eventId);
    expect(new Set(ids).size).toBe(3);
  });

  it('are due at once, or held back for as long as retries would have gone on', () => {
    const [due, held] = deliveriesFor(event('a'), webhook('whk_1'), webhook('whk_2', { enabled: false }));
    expect(due).toMatchObject({ status: 'pending', tries: 0, error: null, dueAt: later(5), createdAt: now });
    expect(held).toMatchObject({ status: 'pending', error: 'held', dueAt: later(4350) });
    expect([due && isHeld(due), held && isHeld(held)]).toEqual([false, true]);
    expect(due && attemptsOf(due)).toBe(0);
  });
});
