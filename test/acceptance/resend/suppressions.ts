import { call } from '../client.ts';
import { newContact, someone, subscriberAt } from './contacts.ts';
import { type ClientWorld, dataOf, refusalOf, type Scenarios } from './scenarios.ts';

async function suppress({ service, workspace }: ClientWorld, reason: string): Promise<string> {
  const email = someone();
  await call({ ...service, apiKey: workspace.apiKey }, 'POST', '/api/v1/suppression', { body: { email, reason } });
  return email;
}

const at = expect.stringMatching(/Z$/);

/** The names of the client's calls about suppressions. */
export const suppressionScenarios: Scenarios = {
  'suppressions.add': async (world) => {
    const email = await newContact(world);
    const added = await dataOf(world.resend.suppressions.add({ email }));
    expect(added).toEqual({ object: 'suppression', id: email });
    expect((await subscriberAt(world, email)).status).toBe('unsubscribed');
    expect(await refusalOf(world.resend.suppressions.add({ email: 'no' }))).toEqual([
      ...[422, expect.stringMatching(/^email: /)],
    ]);
  },
  'suppressions.batch.add': async (world) => {
    const { suppressions } = world.resend;
    const emails = [someone(), someone()];
    for (let time = 1; time <= 2; time += 1)
      expect(await dataOf(suppressions.batch.add({ emails }))).toEqual({
        data: emails.map((id) => ({ object: 'suppression', id })),
      });
    // None is added when one is wrong.
    const other = someone();
    expect(await refusalOf(suppressions.batch.add({ emails: [other, 'no'] }))).toEqual([
      ...[422, expect.stringMatching(/^emails\[1\]: /)],
    ]);
    expect((await refusalOf(suppressions.get(other)))[0]).toBe(404);
    const tooMany = await refusalOf(suppressions.batch.add({ emails: Array.from({ length: 51 }, someone) }));
    expect(tooMany[0]).toBe(422);
  },
  'suppressions.get': async (world) => {
    for (const [reason, origin] of [
      ['bounce', 'bounce'],
      ['complaint', 'complaint'],
      ['manual', 'manual'],
      ['unsubscribe', 'manual'],
    ] as const) {
      const email = await suppress(world, reason);
      expect(await dataOf(world.resend.suppressions.get(email))).toEqual({
        ...{ object: 'suppression', id: email, email, origin, source_id: null, created_at: at },
      });
    }
    for (const id of [someone(), 'no address'])
      expect((await refusalOf(world.resend.suppressions.get(id)))[0]).toBe(404);
  },
  'suppressions.list': async (world) => {
    const { suppressions } = world.resend;
    const emails = [await suppress(world, 'manual'), await suppress(world, 'bounce'), await suppress(world, 'manual')];
    const first = await dataOf(suppressions.list({ limit: 1 }));
    expect(first).toEqual({
      ...{ object: 'list', has_more: true },
      data: [{ id: emails[2], email: emails[2], origin: 'manual', source_id: null, created_at: at }],
    });
    const next = await dataOf(suppressions.list({ limit: 2, after: emails[2] ?? '' }));
    expect(next.data.map(({ email }) => email)).toEqual([emails[1], emails[0]]);
    expect(await refusalOf(suppressions.list({ origin: 'bounce' }))).toEqual([422, expect.stringMatching(/^origin: /)]);
  },
};
