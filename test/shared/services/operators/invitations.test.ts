import type { OperatorRole } from '../../../../shared/domain/workspace/workspace.ts';
import { startUserPool, type TestPool } from '../../identity/userPool.ts';
import { operatorContext } from '../context.ts';
import { startWorld } from './world.ts';

const load = async () => ({
  ...(await import('../../../../shared/services/operators/operators.ts')),
  ...(await import('../../../../shared/services/operators/operators.ts')),
  ...(await import('../../../../shared/services/operators/operators.ts')),
  ...(await import('../../../../shared/services/operators/operators.ts')),
  ...(await import('../../../../shared/store/operators.ts')),
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

/** As a sign-in stores it. */
async function signIn(address: string, subject: string) {
  const operator = (await verbs.listStoredOperators()).find((one) => one.email === address);
  if (!operator) throw new Error(`${address} was not invited.`);
  return verbs.noteSignIn(operator, { issuer, subject }, new Date());
}

describe('an invitation', () => {
  it('creates an account with a verified address, and mails its owner', async () => {
    expect(await invite('Ada@ACME.example')).toMatchObject({ email, role: 'editor', mailed: true, signed_in_at: null });
    expect(pool.accounts.get(email)).toMatchObject({ attributes: { email, email_verified: 'true' }, mails: 1 });
  });

  it('is mailed again to a person who has never signed in, with the new role', async () => {
    expect(await invite(email, 'viewer')).toMatchObject({ role: 'viewer', mailed: true });
    expect(pool.accounts.get(email)?.mails).toBe(2);
    expect(await verbs.listOperators(operatorContext())).toEqual([expect.objectContaining({ email, role: 'viewer' })]);
  });

  it('is refused for a person who has signed in, and changes nothing for them', async () => {
    await signIn(email, pool.accounts.get(email)?.username ?? '');
    await expect(invite(email, 'owner')).rejects.toMatchObject({ code: 'conflict' });
    const [operator] = await verbs.listOperators(operatorContext());
    expect(operator).toMatchObject({ role: 'viewer', signed_in_at: expect.any(String) });
    expect(pool.accounts.get(email)?.mails).toBe(2);
  });

  it('does not mail the owner of an account that has been used', async () => {
    pool.accounts.set('bob@acme.example', { username: 'sub-bob', attributes: {}, status: 'CONFIRMED', mails: 1 });
    expect(await invite('bob@acme.example')).toMatchObject({ mailed: false });
    expect(pool.accounts.get('bob@acme.example')?.mails).toBe(1);
  });

  it('of an invalid address is refused, and stores nothing', async () => {
    const before = await verbs.listOperators(operatorContext());
    await expect(invite('ada at acme')).rejects.toMatchObject({ issues: [expect.objectContaining({ path: 'email' })] });
    expect(await verbs.listOperators(operatorContext())).toEqual(before);
  });

  it('that failed before the account was created is completed by inviting again', async () => {
    pool.fails = 'InternalErrorException';
    await expect(invite('eve@acme.example')).rejects.toThrow();
    pool.fails = null;
    expect(await invite('eve@acme.example')).toMatchObject({ mailed: true });
    expect(pool.accounts.has('eve@acme.example')).toBe(true);
  });
});

describe('a removal', () => {
  it('deletes the account by its name in the pool, whatever its address', async () => {
    const username = pool.accounts.get(email)?.username ?? '';
    pool.accounts.set('moved@acme.example', { username, attributes: {}, status: 'CONFIRMED', mails: 0 });
    pool.accounts.delete(email);
    await remove();
    expect(pool.accounts.has('moved@acme.example')).toBe(false);
  });

  it('that failed before the account was deleted ends the access, and is completed by removing again', async () => {
    await invite('mallory@acme.example');
    pool.fails = 'InternalErrorException';
    await expect(remove('mallory@acme.example')).rejects.toThrow();
    const left = (await verbs.listOperators(operatorContext())).map((one) => one.email);
    expect(left).not.toContain('mallory@acme.example');
    pool.fails = null;
    await expect(remove('mallory@acme.example')).rejects.toMatchObject({ code: 'not_found' });
    expect(pool.accounts.has('mallory@acme.example')).toBe(false);
  });

  it('prevents a sign-in that is in progress', async () => {
    await invite('trent@acme.example');
    const [operator] = (await verbs.listStoredOperators()).filter((one) => one.email === 'trent@acme.example');
    await remove('trent@acme.example');
    if (!operator) throw new Error('There is no operator.');
    expect(await verbs.noteSignIn(operator, { issuer, subject: 'sub-trent' }, new Date())).toBeNull();
    await invite('trent@acme.example');
    expect(await verbs.noteSignIn(operator, { issuer, subject: 'sub-trent' }, new Date())).toBeNull();
  });
});

describe('a change', () => {
  it('needs an owner of the deployment and an invited operator', async () => {
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
