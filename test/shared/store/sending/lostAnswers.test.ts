import { minuteOf } from '../../../../shared/domain/sending/minute.ts';
import { createId } from '../../../../shared/domain/token/identifier.ts';
import type { Email } from '../../../../shared/store/sending/email.ts';
import { startInterferingTable } from '../table/interferingTable.ts';
import { useTable } from '../testTable.ts';

const at = new Date('2026-06-15T12:00:30.000Z');
const one = { recipients: 1, counted: 1 };

let table: Awaited<ReturnType<typeof startInterferingTable>>;
let reservations: typeof import('../../../../shared/store/sending/reservations.ts');
let usage: typeof import('../../../../shared/store/sending/usage.ts');
beforeAll(async () => {
  table = await startInterferingTable();
  useTable(table.endpoint);
  reservations = await import('../../../../shared/store/sending/reservations.ts');
  usage = await import('../../../../shared/store/sending/usage.ts');
});
afterAll(() => table.stop());

function newEmail(workspaceId: string): Email {
  const id = createId('email', at);
  const to = [`${id}@example.net`];
  return {
    ...{ workspaceId, id, from: 'a@example.com', to, cc: [], bcc: [], replyTo: [], subject: 's', tags: [] },
    ...{ envelopes: [to], createdAt: at.toISOString(), expiresAt: 9_999_999_999, isQuotaExempt: false },
  };
}

describe.each(['giveBack', 'withdraw'] as const)('what %s gives back', (verb) => {
  it('is given back once, though the answer was lost and the SDK asked again', async () => {
    const workspaceId = createId('ws', new Date());
    const [refused, kept] = [newEmail(workspaceId), newEmail(workspaceId)];
    for (const email of [refused, kept]) await reservations.reserve(email, one, 100, at, 'only');
    // The entry of the attempt first, then the sums.
    table.interferences.push('nothing', 'answer lost');
    await reservations[verb](refused, minuteOf(at), one);
    expect(table.interferences).toEqual([]);
    expect(await usage.getMonth(workspaceId, '2026-06')).toMatchObject({
      used: 1,
      minutes: [{ recipients: 1, counted: 1 }],
    });
  });
});
