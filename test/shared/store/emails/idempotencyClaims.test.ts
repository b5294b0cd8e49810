import { randomUUID } from 'node:crypto';
import type { Claim } from '../../../../shared/store/emails/idempotencyClaims.ts';
import { startTestTable } from '../testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let store: typeof import('../../../../shared/store/emails/idempotencyClaims.ts');
let documents: typeof import('../../../../shared/store/table/table.ts').documents;
beforeAll(async () => {
  table = await startTestTable();
  store = await import('../../../../shared/store/emails/idempotencyClaims.ts');
  ({ documents } = await import('../../../../shared/store/table/table.ts'));
});
afterAll(() => table.stop());

const began = new Date('2026-11-21T10:00:00Z');
const later = (seconds: number) => new Date(began.getTime() + seconds * 1000);
const position = () => ({ workspaceId: 'ws_1', keyHash: randomUUID() });
const claimOf = (emailId: string): Claim => ({ emailId, bodyHash: 'hash', claimedAt: began.getTime(), inDoubt: [] });

describe('the claim of an Idempotency-Key', () => {
  it('is had by the first call; the others are shown it', async () => {
    const at = position();
    expect(await store.claim(at, claimOf('email_1'), began)).toBeNull();
    expect(await store.claim(at, claimOf('email_2'), later(1))).toEqual(claimOf('email_1'));
  });

  it('is taken over by one call of many', async () => {
    const at = position();
    await store.claim(at, claimOf('email_1'), began);
    const taken = await Promise.all(
      [300, 301, 302].map((seconds) => store.takeOver(at, claimOf('email_1'), [0], later(seconds))),
    );
    const [winner, ...others] = taken.filter((own) => own !== null);
    expect(others).toEqual([]);
    expect(await store.claim(at, claimOf('email_2'), later(303))).toEqual(winner);
    expect(winner).toMatchObject({ emailId: 'email_1', inDoubt: [0] });
  });

  it('is had again by a call whose answer was lost', async () => {
    const at = position();
    expect(await store.claim(at, claimOf('email_1'), began)).toBeNull();
    expect(await store.claim(at, claimOf('email_1'), later(1))).toBeNull();
    expect(await store.claim(at, claimOf('email_2'), later(2))).toMatchObject({ emailId: 'email_1' });
  });

  it('takes refusals from the call that holds it alone', async () => {
    const at = position();
    const first = claimOf('email_1');
    await store.claim(at, first, began);
    expect(await store.noteRefused(at, first, [])).toBe(true);
    const second = await store.takeOver(at, first, [], later(300));
    expect(await store.noteRefused(at, first, [])).toBe(false);
    expect(await store.noteRefused(at, second as Claim, [])).toBe(true);
  });

  it('is no longer the business of a call that it was taken over from', async () => {
    const at = position();
    const first = claimOf('email_1');
    await store.claim(at, first, began);
    const second = await store.takeOver(at, first, [], later(300));
    expect([await store.isHeld(at, first), await store.isHeld(at, second as Claim)]).toEqual([false, true]);
    await store.release(at, first);
    await store.reopen(at, first, [1]);
    expect(await store.claim(at, claimOf('email_2'), later(301))).toEqual(second);
  });

  it('keeps what is in doubt when it is left to the next call', async () => {
    const at = position();
    await store.claim(at, claimOf('email_1'), began);
    await store.reopen(at, claimOf('email_1'), [0, 2]);
    expect(await store.claim(at, claimOf('email_2'), later(1))).toMatchObject({ claimedAt: 0, inDoubt: [0, 2] });
  });

  it('is free again a day after it was made, and not a second earlier', async () => {
    const at = position();
    await store.claim(at, claimOf('email_1'), began);
    expect(await store.claim(at, claimOf('email_2'), later(86_399))).toEqual(claimOf('email_1'));
    expect(await store.claim(at, { ...claimOf('email_2'), bodyHash: 'other' }, later(86_400))).toBeNull();
    expect(await store.claim(at, claimOf('email_3'), later(86_401))).toMatchObject({
      ...{ emailId: 'email_2', bodyHash: 'other' },
    });
  });

  it('is free again when its call gave it up', async () => {
    const at = position();
    await store.claim(at, claimOf('email_1'), began);
    await store.release(at, claimOf('email_1'));
    expect(await store.claim(at, claimOf('email_2'), later(1))).toBeNull();
  });

  it('is read as the release before wrote it, which kept no doubt', async () => {
    const { PutCommand } = await import('@aws-sdk/lib-dynamodb');
    const { claimKey } = await import('../../../../shared/store/table/keys.ts');
    const at = position();
    await documents.send(
      new PutCommand({
        TableName: 'test',
        Item: {
          ...claimKey(at.workspaceId, at.keyHash),
          ...{ email_id: 'email_1', body_hash: 'hash', claimed_at: 0, expires_at: began.getTime() / 1000 + 86_400 },
        },
      }),
    );
    const standing = await store.claim(at, claimOf('email_2'), began);
    expect(standing).toEqual({ emailId: 'email_1', bodyHash: 'hash', claimedAt: 0, inDoubt: [] });
    expect(await store.takeOver(at, standing as Claim, [], later(1))).not.toBeNull();
  });
});

describe('how far the words of the provider have come in', () => {
  it('is not known before the first, and never goes back', async () => {
    const { getEmailWatermark, raiseEmailWatermark } = await import('../../../../shared/store/feedbackWatermarks.ts');
    expect(await getEmailWatermark()).toBeNull();
    await raiseEmailWatermark(later(10));
    await raiseEmailWatermark(later(5));
    expect(await getEmailWatermark()).toBe(later(10).getTime());
    await raiseEmailWatermark(later(20));
    expect(await getEmailWatermark()).toBe(later(20).getTime());
  });
});
