import { Resend } from 'resend';
import { eventually } from '../client.ts';
import { newWorkspace } from '../workspace.ts';
import { dataOf, type Scenarios } from './scenarios.ts';

/** The client's call about the usage of a workspace. */
export const usageScenarios: Scenarios = {
  'usage.get': async ({ service }) => {
    const workspace = await newWorkspace(service);
    const resend = new Resend(workspace.apiKey, { baseUrl: `${service.baseUrl}/api/resend` });
    const from = `hello@${workspace.domain}`;
    await dataOf(resend.emails.send({ from, to: ['a@example.net', 'b@example.net'], subject: 'Hello', text: 'Hello' }));
    const at = expect.stringMatching(/T00:00:00\.000Z$/);
    await eventually(async () => (await dataOf(resend.usage.get())).emails.daily.sent > 0);
    const { emails, ...others } = await dataOf(resend.usage.get());
    expect(emails.monthly).toMatchObject({ used: 2, received: 0, resets_at: at, limit: expect.any(Number) });
    expect(emails.daily).toEqual({
      ...{ used: emails.monthly.sent, sent: emails.monthly.sent, limit: null, received: 0, resets_at: at },
    });
    expect(others).toEqual({
      ...{
        object: 'usage',
        domains: { used: 1, limit: null },
        rate_limit: { limit: expect.any(Number), duration: '1m' },
      },
    });
  },
};
