import { createId } from '../../../../shared/domain/identifier.ts';
import { minuteOf } from '../../../../shared/domain/sending/settlement.ts';
import { startTestTable } from '../testTable.ts';
import { emailTo } from './emailTo.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [emails, lists] = await Promise.all([
    import('../../../../shared/store/emails/email.ts'),
    import('../../../../shared/store/archive/wholeEmails.ts'),
  ]);
  return { ...emails, ...lists };
}

beforeAll(async () => {
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

describe('the list of emails', () => {
  it('has no next page after one that holds exactly the last of them', async () => {
    const workspaceId = createId('ws', new Date());
    const at = new Date('2026-11-20T10:00:00.000Z');
    for (const seconds of [0, 1, 2]) {
      const email = emailTo(workspaceId, ['ada@example.net'], new Date(at.getTime() + seconds * 1000));
      await modules.acceptEnvelope(email, 0, `ses-${seconds}`, minuteOf(at));
    }
    const page = async (limit: number) => {
      const { entries, next } = await modules.pageOfWholeEmails(workspaceId, { limit, after: undefined }, at);
      return [entries.length, next !== null];
    };
    expect(await page(2)).toEqual([2, true]);
    expect(await page(3)).toEqual([3, false]);
    expect(await page(4)).toEqual([3, false]);
  });
});
