import { createId } from '../../../../shared/domain/identifier.ts';
import { newDelivery } from '../../../../shared/domain/webhook/delivery.ts';
import { startInterferingTable } from '../table/interferingTable.ts';
import { useTable } from '../testTable.ts';

const at = new Date('2026-06-15T12:00:30.000Z');

let table: Awaited<ReturnType<typeof startInterferingTable>>;
let deliveries: typeof import('../../../../shared/store/webhook/deliveries.ts');
let changes: typeof import('../../../../shared/store/webhook/deliveryChanges.ts');
beforeAll(async () => {
  table = await startInterferingTable();
  useTable(table.endpoint);
  deliveries = await import('../../../../shared/store/webhook/deliveries.ts');
  changes = await import('../../../../shared/store/webhook/deliveryChanges.ts');
});
afterAll(() => table.stop());

async function delivery() {
  const position = { workspaceId: createId('ws', at), webhookId: createId('whk', at), deliveryId: createId('whd', at) };
  const event = { eventId: createId('evt', at), eventType: 'email.delivered' as const, body: '{}', createdAt: at };
  const written = newDelivery(position, event);
  await deliveries.addDelivery(written);
  return written;
}

describe('a deletion', () => {
  it('that DynamoDB leaves undone for want of capacity is asked for again', async () => {
    const written = await delivery();
    table.interferences.push('left unwritten');
    await deliveries.deleteDeliveries([written]);
    expect(table.interferences).toEqual([]);
    expect((await deliveries.getDelivery(written)).delivery).toBeNull();
  });
});

describe('a replay', () => {
  it('is counted and logged once, though the answer was lost and the client wrote again; the next one beside it', async () => {
    const outcome = { accepted: true, status: 200, body: '', error: null, durationMilliseconds: 5 };
    const written = await delivery();
    table.interferences.push('answer lost');
    const replayed = await changes.recordReplay(written, outcome, at);
    expect(table.interferences).toEqual([]);
    expect(replayed).toMatchObject({ status: 'delivered', replays: 1, log: [{ isReplay: true }] });
    if (!replayed) throw new Error('It is gone.');
    expect(await changes.recordReplay(replayed, outcome, at)).toMatchObject({ replays: 2 });
  });
});
