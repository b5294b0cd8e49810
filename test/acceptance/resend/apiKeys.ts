import { Resend } from 'resend';
import { call } from '../client.ts';
import { newWorkspace } from '../workspace.ts';
import { type ClientWorld, dataOf, refusalOf, type Scenarios } from './scenarios.ts';

const keysOf = async ({ service, workspace }: ClientWorld) =>
  (await call({ ...service, apiKey: workspace.apiKey }, 'GET', '/api/v1/keys')).body.data;

const clientOf = ({ service }: ClientWorld, apiKey: string) =>
  new Resend(apiKey, { baseUrl: `${service.baseUrl}/api/resend` });

/** Tries a call in a workspace of its own: a key has few children. */
const apart = (attempt: (world: ClientWorld) => Promise<void>) => async (world: ClientWorld) => {
  const workspace = await newWorkspace(world.service);
  await attempt({ ...world, workspace, resend: clientOf(world, workspace.apiKey) });
};

/** The names of the client's calls about keys. */
export const apiKeyScenarios: Scenarios = {
  'apiKeys.create': apart(async (world) => {
    const { resend, workspace } = world;
    const created = await dataOf(resend.apiKeys.create({ name: 'Sender', permission: 'sending_access' }));
    expect(created).toEqual({ id: expect.stringMatching(/^key_/), token: expect.stringMatching(/^mr_live_/) });
    const sender = clientOf(world, created.token);
    const from = `hello@${workspace.domain}`;
    await dataOf(sender.emails.send({ from, to: 'ada@example.net', subject: 'Hello', text: 'Hello' }));
    expect((await refusalOf(sender.contacts.list()))[0]).toBe(403);
    // All that the key may give: neither more keys nor erasure.
    const full = await dataOf(resend.apiKeys.create({ name: 'Everything' }));
    await dataOf(clientOf(world, full.token).contacts.list());
    expect((await refusalOf(clientOf(world, full.token).apiKeys.list()))[0]).toBe(403);
    const [key] = await keysOf(world);
    const days = (Date.parse(key.expires_at) - Date.now()) / 86_400_000;
    expect([key.id, Math.round(days), key.scopes.includes('subscribers:erase')]).toEqual([full.id, 90, false]);
    // A key for one domain would be a key for all of them.
    const one = await refusalOf(resend.apiKeys.create({ name: 'X', domain_id: workspace.domain }));
    expect(one).toEqual([422, expect.stringMatching(/^domain_id: /)]);
    expect((await keysOf(world)).length).toBe(3);
  }),
  'apiKeys.list': apart(async ({ resend }) => {
    const made = [
      await dataOf(resend.apiKeys.create({ name: 'One' })),
      await dataOf(resend.apiKeys.create({ name: 'Two' })),
    ];
    await dataOf(resend.apiKeys.remove(made[0]?.id ?? ''));
    const page = await dataOf(resend.apiKeys.list({ limit: 1 }));
    const created_at = expect.stringMatching(/Z$/);
    expect(page).toEqual({
      ...{ object: 'list', has_more: true },
      data: [{ id: made[1]?.id, name: 'Two', created_at, last_used_at: null }],
    });
    const next = await dataOf(resend.apiKeys.list({ after: made[1]?.id ?? '' }));
    expect(next.data.map(({ name }) => name)).toEqual(['Test']);
  }),
  'apiKeys.remove': apart(async (world) => {
    const { apiKeys } = world.resend;
    const { id, token } = await dataOf(apiKeys.create({ name: 'One' }));
    expect(await dataOf(apiKeys.remove(id))).toEqual({ object: 'api_key', id, deleted: true });
    expect((await refusalOf(clientOf(world, token).contacts.list()))[0]).toBe(401);
    // Only keys that this key made.
    const [own] = (await keysOf(world)).filter((key: { name: string }) => key.name === 'Test');
    expect((await refusalOf(apiKeys.remove(own.id)))[0]).toBe(404);
  }),
};
