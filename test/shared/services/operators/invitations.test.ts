import type { OperatorRole } from '../../../../shared/domain/workspace/operatorRole.ts';
import { startUserPool, type TestPool } from '../../identity/userPool.ts';
import { operatorContext } from '../context.ts';
import { startWorld } from './world.ts';

const load = async () => ({
  ...(await import('../../../../shared/services/operators/changeOperator.ts')),
  ...(await import('../../../../shared/services/operators/invite.ts')),
  ...(await import('../../../../shared/services/operators/listOperators.ts')),
  ...(await import('../../../../shared/services/operators/removeOperator.ts')),
  ...(await import('../../../../shared/store/operator/operators.ts')),
});

let world: Awaited<ReturnType<typeof startWorld>>;
let pool: TestPool;
let verbs: Awaited<ReturnType<typeof load>>;

const poolId = 'eu-west-3_pool';
const issuer = `https://cognito-idp.eu-west-3.amazonaws.com/${poolId}`;

beforeAll(async () => {
  world = await startWorld();
  pool = await startUserPool();
  Object.assign(process.env, { USER_POOL_ID: poolId, AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: pool.endpoint });
  verbs = await load();
});
afterAll(async () => {
  await pool.stop();
  await world.stop();
});
beforeEach(() => {
  pool.fails = null;
});

const email = 'ada@acme.example';
const invite = (address = email, role: OperatorRole = 'editor') =>
  verbs.inviteOperator(operatorContext(), { email: address, role, workspaceId: null });
const remove = (address = email) => verbs.removeOperator(operatorContext(), { email: address });

/** As a sign-in notes it. */
async function signIn(address: string, subject: string) {
  const operator = (await verbs.listStoredOperators()).find((one) => one.email === address);
  if (!operator) throw new Error(`${address} was not invited.`);
  return verbs.noteSignIn(operator, { issuer, subject }, new Date());
}

describe('an invitation', () => {
  it('makes an account whose address is verified, and whose owner is mailed', async () => {
    expect(await invite('Ada@ACME.example')).toMatchObject({ email, role: 'editor', mailed: true, signed_in_at: null });
    expect(pool.accounts.get(email)).toMatchObject({ attributes: { email, email_verified: 'true' }, mails: 1 });
  });

  it('is mailed again to who has never signed in, with the role that is given now', async () => {
    expect(await invite(email, 'viewer')).toMatchObject({ role: 'viewer', mailed: true });
    expect(pool.accounts.get(email)?.mails).toBe(2);
    expect(await verbs.listOperators(operatorContext())).toEqual([expect.objectContaining({ email, role: 'viewer' })]);
  });

  it('is refused for who has signed in, and takes nothing from them', async () => {
    await signIn(email, pool.accounts.get(email)?.username ?? '');
    await expect(invite(email, 'owner')).rejects.toMatchObject({ code: 'conflict' });
    const [operator] = await verbs.listOperators(operatorContext());
    expect(operator).toMatchObject({ role: 'viewer', signed_in_at: expect.any(String) });
    expect(pool.accounts.get(email)?.mails).toBe(2);
  });

  it('mails nobody who has an account that they have used', async () => {
    pool.accounts.set('bob@acme.example', { username: 'sub-bob', attributes: {}, status: 'CONFIRMED', mails: 1 });
    expect(await invite('bob@acme.example')).toMatchObject({ mailed: false });
    expect(pool.accounts.get('bob@acme.example')?.mails).toBe(1);
  });

  it('of no address is told what is wrong with it, and writes nothing', async () => {
    const before = await verbs.listOperators(operatorContext());
    await expect(invite('ada at acme')).rejects.toMatchObject({ issues: [expect.objectContaining({ path: 'email' })] });
    expect(await verbs.listOperators(operatorContext())).toEqual(before);
  });

  it('that broke off before the account was made is completed by inviting again', async () => {
    pool.fails = 'InternalErrorException';
    await expect(invite('eve@acme.example')).rejects.toThrow();
    pool.fails = null;
    expect(await invite('eve@acme.example')).toMatchObject({ mailed: true });
    expect(pool.accounts.has('eve@acme.example')).toBe(true);
  });
});

describe('a removal', () => {
  it('deletes the account by what the pool calls it, whatever address it has', async () => {
    const username = pool.accounts.get(email)?.username ?? '';
    pool.accounts.set('moved@acme.example', { username, attributes: {}, status: 'CONFIRMED', mails: 0 });
    pool.accounts.delete(email);
    await remove();
    expect(pool.accounts.has('moved@acme.example')).toBe(false);
  });

  it('that broke off before the account was deleted shuts out all the same, and is completed by removing again', async () => {
    await invite('mallory@acme.example');
    pool.fails = 'InternalErrorException';
    await expect(remove('mallory@acme.example')).rejects.toThrow();
    const left = (await verbs.listOperators(operatorContext())).map((one) => one.email);
    expect(left).not.toContain('mallory@acme.example');
    pool.fails = null;
    await expect(remove('mallory@acme.example')).rejects.toMatchObject({ code: 'not_found' });
    expect(pool.accounts.has('mallory@acme.example')).toBe(false);
  });

  it('comes before a sign-in that was under way', async () => {
    await invite('trent@acme.example');
    const [operator] = (await verbs.listStoredOperators()).filter((one) => one.email === 'trent@acme.example');
    await remove('trent@acme.example');
    if (!operator) throw new Error('There is nobody.');
    expect(await verbs.noteSignIn(operator, { issuer, subject: 'sub-trent' }, new Date())).toBeNull();
    await invite('trent@acme.example');
    expect(await verbs.noteSignIn(operator, { issuer, subject: 'sub-trent' }, new Date())).toBeNull();
  });
});

describe('a change', () => {
  it('is for owners of everything, and of somebody who was invited', async () => {
    const change = { email: 'bob@acme.example', role: 'owner', workspaceId: null } as const;
    for (const actor of [
      { ...operatorContext().actor, role: 'editor' as const },
      { ...operatorContext().actor, workspaceId: 'ws_one' },
    ]) {
      const as = { ...operatorContext(), actor };
      await expect(verbs.changeOperator(as, change)).rejects.toMatchObject({ code: 'insufficient_scope' });
      await expect(verbs.inviteOperator(as, change)).rejects.toMatchObject({ code: 'insufficient_scope' });
      await expect(verbs.listOperators(as)).rejects.toMatchObject({ code: 'insufficient_scope' });
    }
    const nobody = { ...change, email: 'nobody@acme.example' };
    await expect(verbs.changeOperator(operatorContext(), nobody)).rejects.toMatchObject({ code: 'not_found' });
  });
});
