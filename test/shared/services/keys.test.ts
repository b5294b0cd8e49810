import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Scope } from '../../../shared/contract/scopes.ts';
import { fingerprint } from '../../../shared/domain/token.ts';
import type { Context, KeyActor } from '../../../shared/services/context.ts';
import { startTestTable } from '../store/testTable.ts';
import { contextOf, operatorContext } from './context.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let verbs: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../shared/services/keys.ts')),
  ...(await import('../../../shared/services/childKeys.ts')),
  ...(await import('../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../shared/services/operators/operators.ts')),
  ...(await import('../../../shared/http/authenticate.ts')),
  ...(await import('../../../shared/store/table/table.ts')),
  ...(await import('../../../shared/store/workspace/apiKeys.ts')),
});

beforeAll(async () => {
  table = await startTestTable();
  verbs = await load();
});
afterAll(async () => {
  verbs.documents.destroy();
  await table.stop();
});

const now = new Date('2026-11-20T10:00:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const day = 86_400;
const tomorrow = later(day).toISOString();
const makeWorkspace = async () =>
  (await verbs.createWorkspace(operatorContext(), { name: 'Test', plan: 'free', language: 'en' })).id;

it('a key that is revoked twice keeps the date of the first time, in the answer and in the list', async () => {
  const workspaceId = await makeWorkspace();
  const at = (time: string) => operatorContext(workspaceId, new Date(time));
  const { id } = await verbs.createKey(at('2026-11-20T10:00:00.000Z'), { name: 'Shop', scopes: ['emails:send'] });
  const first = await verbs.revokeKey(at('2026-11-21T10:00:00.000Z'), { id });
  const second = await verbs.revokeKey(at('2026-11-22T10:00:00.000Z'), { id });
  expect(first.revoked_at).toBe('2026-11-21T10:00:00.000Z');
  expect(second).toEqual(first);
  expect(await verbs.listKeys(at('2026-11-22T11:00:00.000Z'))).toMatchObject([{ id, revoked_at: first.revoked_at }]);
});

/** A parent with `keys:write` in a workspace of its own, and its calls. */
async function makeParent(scopes: readonly Scope[] = ['keys:write', 'emails:send', 'subscribers:read']) {
  const workspaceId = await makeWorkspace();
  const operator = operatorContext(workspaceId, now);
  const { id, key, last_four } = await verbs.createKey(operator, { name: 'Parent', scopes });
  const actor: KeyActor = { kind: 'key', keyId: id, keyName: 'Parent', lastFour: last_four, scopes };
  const context: Context<KeyActor> = { ...contextOf(workspaceId), actor, now };
  const child = (over: Partial<Parameters<typeof verbs.createChildKey>[1]> = {}, at = now) =>
    verbs.createChildKey(
      { ...context, now: at },
      {
        name: 'Child',
        scopes: ['emails:send'],
        expires_at: tomorrow,
        ...over,
      },
    );
  return { workspaceId, operator, id, key, context, child };
}

/** A call with a key: the code that refuses it or null, and the number of calls in its window. */
async function calling(key: string, at = now) {
  const headers = { Authorization: `Bearer ${key}` };
  const event = { headers, requestContext: { identity: { sourceIp: '192.0.2.1' } } } as unknown as APIGatewayProxyEvent;
  const { refusal, window, caller } = await verbs.authenticate(event, at);
  return { code: refusal?.code ?? null, count: window.count, keyId: caller?.keyId ?? null };
}
const codeOf = async (key: string, at = now) => (await calling(key, at)).code;

describe('a child key', () => {
  it('is created with its parent, its scopes and its end, and shown once', async () => {
    const { id, child, context, operator } = await makeParent();
    const made = await child();
    expect(made).toEqual({
      object: 'key',
      ...{ id: expect.stringMatching(/^key_/), name: 'Child', last_four: made.key.slice(-4), scopes: ['emails:send'] },
      ...{ parent_id: id, approval: null, expires_at: tomorrow, last_used_at: null, revoked_at: null },
      ...{ created_at: now.toISOString(), key: expect.stringMatching(/^mr_live_/) },
    });
    expect(await calling(made.key)).toMatchObject({ code: null, keyId: made.id });
    const { key: _, ...listed } = { ...made, last_used_at: now.toISOString() };
    const { entries } = await verbs.pageOfKeys(context, { limit: 50, after: undefined });
    expect(entries).toContainEqual(listed);
    expect(entries).toContainEqual(expect.objectContaining({ id, parent_id: null, expires_at: null, approval: null }));
    expect(await verbs.listKeys(operator)).toContainEqual(
      expect.objectContaining({ id: made.id, parent_id: id, expires_at: tomorrow }),
    );
  });

  it('has only scopes of its parent', async () => {
    const { child } = await makeParent();
    await expect(child({ scopes: ['emails:send', 'campaigns:write'] })).rejects.toMatchObject({
      code: 'validation_error',
      issues: [{ path: 'scopes[1]' }],
    });
  });

  it.each([
    [-1, false],
    [0, false],
    [1, true],
    [90 * day, true],
    [90 * day + 1, false],
  ])('that ends after %i seconds: created %p', async (seconds, isMade) => {
    const { child } = await makeParent();
    const made = child({ expires_at: later(seconds).toISOString() });
    if (isMade) return expect(await made).toMatchObject({ expires_at: later(seconds).toISOString() });
    return expect(made).rejects.toMatchObject({ code: 'validation_error', issues: [{ path: 'expires_at' }] });
  });

  it('is refused as an unknown key from its end on', async () => {
    const { child, key } = await makeParent();
    const made = await child({ expires_at: later(60).toISOString() });
    expect(await codeOf(made.key, later(59.999))).toBeNull();
    const { count } = await calling(key, later(60));
    expect(await codeOf(made.key, later(60))).toBe('invalid_api_key');
    // What is refused takes nothing of the limit of its parent.
    expect((await calling(key, later(60))).count).toBe(count + 1);
  });

  it('counts in the window of its parent, like the others', async () => {
    const { child, key } = await makeParent();
    const [one, two] = [await child(), await child()];
    const counts: number[] = [];
    for (const each of [key, one.key, two.key, one.key, key]) counts.push((await calling(each)).count);
    expect(counts).toEqual([1, 2, 3, 4, 5]);
  });

  it('is one of twenty living ones, however many are asked for at once', async () => {
    const { child, context } = await makeParent();
    const asked = await Promise.allSettled(Array.from({ length: 24 }, () => child()));
    // Those that were overtaken too often are told to try again.
    for (let left = asked.filter(({ status }) => status === 'fulfilled').length; left < 20; left += 1) await child();
    const full = { code: 'conflict', text: { en: expect.stringContaining('at most 20 living keys') } };
    await expect(child()).rejects.toMatchObject(full);
    const living = async () =>
      (await verbs.pageOfKeys(context, { limit: 100, after: undefined })).entries.filter((key) => !key.revoked_at);
    expect(await living()).toHaveLength(21);
    const [newest] = await living();
    await verbs.revokeChildKey(context, { id: newest?.id ?? '' });
    await child();
    await expect(child()).rejects.toMatchObject(full);
    // Those that have expired make room.
    await expect(child({ expires_at: later(3 * day).toISOString() }, later(2 * day))).resolves.toBeDefined();
  });

  it('is listed by pages, newest first', async () => {
    const { child, context, id } = await makeParent();
    const made = [];
    for (let second = 1; second <= 3; second += 1) made.push((await child({}, later(second))).id);
    const first = await verbs.pageOfKeys(context, { limit: 2, after: undefined });
    expect(first.entries.map((key) => key.id)).toEqual([made[2], made[1]]);
    const second = await verbs.pageOfKeys(context, { limit: 2, after: first.next ?? '' });
    expect(second.entries.map((key) => key.id)).toEqual([made[0], id]);
    expect(second.next).toBeNull();
    const wrong = verbs.pageOfKeys(context, { limit: 2, after: 'seg_1' });
    await expect(wrong).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('revoking', () => {
  it('ends a child of the caller, and again without an effect', async () => {
    const { child, context, operator } = await makeParent();
    const made = await child();
    const answer = { object: 'key', id: made.id, deleted: true };
    expect(await verbs.revokeChildKey(context, { id: made.id })).toEqual(answer);
    expect(await codeOf(made.key)).toBe('revoked_api_key');
    expect(await verbs.revokeChildKey({ ...context, now: later(9) }, { id: made.id })).toEqual(answer);
    expect((await verbs.listKeys(operator))[1]).toMatchObject({ revoked_at: now.toISOString() });
  });

  it('ends no other key: not itself, nor that of an operator, of another key or of another workspace', async () => {
    const [own, other] = [await makeParent(), await makeParent()];
    const second = await verbs.createKey(own.operator, { name: 'Second', scopes: ['keys:write', 'emails:send'] });
    const actor = { ...own.context.actor, keyId: second.id };
    const niece = await verbs.createChildKey(
      { ...own.context, actor },
      { name: 'Niece', scopes: ['emails:send'], expires_at: tomorrow },
    );
    for (const id of [own.id, second.id, niece.id, (await other.child()).id, 'key_1', 'KEY#'])
      await expect(verbs.revokeChildKey(own.context, { id })).rejects.toMatchObject({ code: 'not_found' });
    expect(await codeOf(niece.key)).toBeNull();
  });

  it('of a parent ends its children at their next call, and shows them as revoked', async () => {
    const { child, operator, id } = await makeParent();
    const made = await child();
    expect(await codeOf(made.key)).toBeNull();
    await verbs.revokeKey({ ...operator, now: later(5) }, { id });
    expect(await codeOf(made.key)).toBe('revoked_api_key');
    expect((await verbs.listKeys(operator)).map((key) => key.revoked_at)).toEqual(
      Array(2).fill(later(5).toISOString()),
    );
    await expect(child()).rejects.toMatchObject({ code: 'revoked_api_key' });
  });

  it('of a parent whose process ends before the write ends nothing, and with the write everything', async () => {
    const { child, operator, id } = await makeParent();
    const made = await child();
    const { documents } = verbs;
    const send = documents.send.bind(documents);
    const crash = new Error('The process ended.');
    // Both writes of its audit entry are made; the revocation is one transaction between them.
    for (const [isMade, code] of [
      [false, null],
      [true, 'revoked_api_key'],
    ] as const) {
      documents.send = (async (command: Parameters<typeof send>[0]) => {
        if (command.constructor.name !== 'TransactWriteCommand') return send(command);
        if (isMade) await send(command);
        throw crash;
      }) as typeof documents.send;
      await expect(verbs.revokeKey(operator, { id })).rejects.toBe(crash);
      documents.send = send;
      expect(await codeOf(made.key)).toBe(code);
    }
  });

  it('of a parent races with the creation of children: each child is refused afterwards', async () => {
    const { child, operator, id } = await makeParent();
    const asked = Array.from({ length: 8 }, () => child());
    await verbs.revokeKey(operator, { id });
    for (const made of await Promise.allSettled(asked)) {
      if (made.status === 'fulfilled') expect(await codeOf(made.value.key)).toBe('revoked_api_key');
    }
    expect((await verbs.listKeys(operator)).every((key) => key.revoked_at)).toBe(true);
  });

  it('is no matter for a child whose parent is not stored: it is refused', async () => {
    const { child, key } = await makeParent();
    const made = await child();
    const Key = { pk: `KEY#${fingerprint(key)}`, sk: 'KEY' };
    await verbs.documents.send(new DeleteCommand({ TableName: 'test', Key }));
    expect(await codeOf(made.key)).toBe('invalid_api_key');
  });
});

it('the audit log names the key that made and revoked another', async () => {
  const { child, context, workspaceId } = await makeParent();
  const { id } = await child();
  await verbs.revokeChildKey(context, { id });
  const { entries } = await verbs.listAudit(operatorContext(), { workspaceId, limit: 10 });
  const by = `Parent (…${context.actor.lastFour})`;
  expect(entries.slice(0, 2)).toMatchObject([
    { action: 'key.revoke', subject: id, by, door: 'api', outcome: 'done' },
    { action: 'key.create', subject: 'Child', by, door: 'api', outcome: 'done' },
  ]);
});
