import { randomUUID } from 'node:crypto';
import { type ClientWorld, dataOf, refusalOf, type Scenarios } from './scenarios.ts';

const newName = () => `${randomUUID().slice(0, 8)}.example`;

const newDomain = async ({ resend }: ClientWorld): Promise<string> =>
  (await dataOf(resend.domains.create({ name: newName() }))).id;

const capabilities = { sending: 'enabled', receiving: 'disabled' };

/** The names of the client's calls about domains. */
export const domainScenarios: Scenarios = {
  'domains.create': async ({ resend }) => {
    const name = newName();
    const created = await dataOf(resend.domains.create({ name, customReturnPath: 'bounces' }));
    expect(created).toMatchObject({ id: name, name, status: 'pending', capabilities });
    const of = (host: string) => created.records.filter((one) => one.name === host);
    expect(of(`_mailroom.${name}`)).toEqual([
      {
        record: 'SPF',
        type: 'TXT',
        name: `_mailroom.${name}`,
        value: expect.any(String),
        ttl: 'Auto',
        status: 'pending',
      },
    ]);
    expect(of(`bounces.${name}`)).toEqual([
      expect.objectContaining({
        ...{ record: 'SPF', type: 'MX', priority: 10, value: expect.stringMatching(/^feedback-smtp\.\S+$/) },
      }),
      expect.objectContaining({ record: 'SPF', type: 'TXT', value: expect.stringContaining('v=spf1') }),
    ]);
    expect(created.records.filter(({ record }) => record === 'DKIM').length).toBe(3);
    expect(created.records.length).toBe(6);
    // Tracking is set for the workspace, and there is one region.
    for (const more of [{ openTracking: true }, { region: 'eu-west-1' as const }, { tls: 'enforced' as const }])
      expect((await refusalOf(resend.domains.create({ name: newName(), ...more })))[0]).toBe(422);
    expect(await refusalOf(resend.domains.create({ name: newName(), customReturnPath: 'a b' }))).toEqual([
      ...[422, expect.stringMatching(/^custom_return_path: /)],
    ]);
  },
  'domains.get': async (world) => {
    const { resend, workspace } = world;
    const shown = await dataOf(resend.domains.get(workspace.domain));
    expect(shown).toMatchObject({ object: 'domain', id: workspace.domain, name: workspace.domain, status: 'verified' });
    expect((await refusalOf(resend.domains.get('other.example')))[0]).toBe(404);
  },
  'domains.list': async (world) => {
    const { resend, workspace } = world;
    const id = await newDomain(world);
    const { data } = await dataOf(resend.domains.list({ limit: 100 }));
    const statuses = new Map(data.map((one) => [one.id, one.status]));
    expect([statuses.get(id), statuses.get(workspace.domain)]).toEqual(['pending', 'verified']);
    const page = await dataOf(resend.domains.list({ limit: 1, after: data[0]?.id ?? '' }));
    expect(page).toMatchObject({ object: 'list', data: [{ id: data[1]?.id, capabilities }] });
    expect((await refusalOf(resend.domains.list({ after: 'other.example' })))[0]).toBe(422);
  },
  'domains.verify': async (world) => {
    const id = await newDomain(world);
    expect(await dataOf(world.resend.domains.verify(id))).toEqual({ object: 'domain', id });
    expect(await dataOf(world.resend.domains.get(id))).toMatchObject({ status: 'pending' });
  },
  'domains.remove': async (world) => {
    const id = await newDomain(world);
    expect(await dataOf(world.resend.domains.remove(id))).toEqual({ object: 'domain', id, deleted: true });
    expect((await refusalOf(world.resend.domains.get(id)))[0]).toBe(404);
  },
};
