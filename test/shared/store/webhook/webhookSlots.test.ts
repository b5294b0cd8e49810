import { startTestTable } from '../testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let slots: typeof import('../../../../shared/store/webhook/webhookSlots.ts');
beforeAll(async () => {
  table = await startTestTable();
  slots = await import('../../../../shared/store/webhook/webhookSlots.ts');
});
afterAll(() => table.stop());

const began = new Date('2026-11-21T10:00:00Z');
const later = (seconds: number) => new Date(began.getTime() + seconds * 1000);
const webhook = (webhookId: string) => ({ workspaceId: 'ws_1', webhookId });

describe('the slots of a slow endpoint', () => {
  it('are as many as are allowed, however many workers ask at once', async () => {
    const asked = Array.from({ length: 12 }, () => slots.takeSlot(webhook('many'), 5, began, later(20)));
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(5);
  });

  it('are free when they are given back, or when their time is over', async () => {
    const first = await slots.takeSlot(webhook('free'), 1, began, later(20));
    expect(await slots.takeSlot(webhook('free'), 1, later(20), later(40))).toBeNull();
    if (first) await slots.giveBackSlot(first);
    expect(await slots.takeSlot(webhook('free'), 1, later(1), later(21))).not.toBeNull();
    expect(await slots.takeSlot(webhook('free'), 1, later(22), later(42))).not.toBeNull();
  });

  it('stay taken when a worker whose time is over gives back what another took after it', async () => {
    const late = await slots.takeSlot(webhook('late'), 1, began, later(20));
    const next = await slots.takeSlot(webhook('late'), 1, later(21), later(41));
    expect(next).not.toBeNull();
    if (late) await slots.giveBackSlot(late);
    expect(await slots.takeSlot(webhook('late'), 1, later(22), later(42))).toBeNull();
  });
});
