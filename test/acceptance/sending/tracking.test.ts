import { randomUUID } from 'node:crypto';
import { draft, send, subscribe } from '../campaigns/campaign.ts';
import { call } from '../client.ts';
import { received } from '../inbox.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await sharedService();
  workspace = await newWorkspace(service);
});
afterAll(() => service?.stop());

const someone = () => `t${randomUUID().slice(0, 12)}@example.net`;
const place = () => ({ ...service, apiKey: workspace.apiKey });

/** What the provider put into the HTML that was received. */
async function trackingOf(email: string): Promise<{ opens: boolean; clicks: boolean }> {
  const { mail } = await received(service, email);
  const html = String(mail.html);
  return { opens: /\/I0\//.test(html), clicks: /\/L0\//.test(html) };
}

async function sent(track?: object): Promise<string> {
  const to = someone();
  const body = {
    from: `hello@${workspace.domain}`,
    to,
    subject: 'S',
    html: '<p>Hello, <a href="https://example.com/">look</a></p>',
    ...(track && { track }),
  };
  expect(await call(place(), 'POST', '/api/v1/emails', { body })).toMatchObject({ status: 202 });
  return to;
}

async function setTracking(wanted: { opens?: boolean; clicks?: boolean }): Promise<void> {
  Object.assign(process.env, service.environment);
  const { setTracking: set } = await import('../../../shared/services/workspaces/workspaces.ts');
  const { operatorContext } = await import('../../shared/services/context.ts');
  await set(operatorContext(workspace.workspaceId), wanted);
}

describe('track of POST /emails', () => {
  it.each([
    [undefined, { opens: true, clicks: true }],
    [{}, { opens: true, clicks: true }],
    [{ opens: false }, { opens: false, clicks: true }],
    [
      { clicks: false, opens: null },
      { opens: true, clicks: false },
    ],
    [
      { opens: false, clicks: false },
      { opens: false, clicks: false },
    ],
  ])('%j in a workspace that tracks', async (track, expected) => {
    expect(await trackingOf(await sent(track))).toEqual(expected);
  });

  it('tracks a message of a workspace that tracks nothing by default', async () => {
    await setTracking({ opens: false, clicks: false });
    expect(await trackingOf(await sent())).toEqual({ opens: false, clicks: false });
    expect(await trackingOf(await sent({ opens: true }))).toEqual({ opens: true, clicks: false });
    await setTracking({ opens: true, clicks: true });
  });

  it('is validated', async () => {
    const body = { from: `a@${workspace.domain}`, to: someone(), subject: 'S', text: 'T', track: { opens: 'no' } };
    const answer = await call(place(), 'POST', '/api/v1/emails', { body });
    expect(answer.status).toBe(422);
    expect(answer.body.error.details.issues).toEqual([expect.objectContaining({ path: 'track.opens' })]);
  });
});

describe('a confirmation message', () => {
  it('is never tracked, since nobody has agreed to it yet', async () => {
    const email = someone();
    expect(await call(place(), 'POST', '/api/v1/subscribers', { body: { email } })).toMatchObject({ status: 201 });
    expect(await trackingOf(email)).toEqual({ opens: false, clicks: false });
  });
});

describe('track of a campaign', () => {
  const text = '[Look](https://example.com/)';

  it('applies to its messages, its copies and its test messages', async () => {
    const [email, tester] = [someone(), someone()];
    await subscribe(place(), [email]);
    const id = await draft(place(), { text, track: { opens: false } });
    Object.assign(process.env, service.environment);
    const { operatorContext } = await import('../../shared/services/context.ts');
    const { duplicateCampaign } = await import('../../../shared/services/campaigns/drafts.ts');
    const { sendTestOfCampaign } = await import('../../../shared/services/campaigns/previewCampaign.ts');
    const operator = operatorContext(workspace.workspaceId);
    const copy = await duplicateCampaign(operator, { id });
    await sendTestOfCampaign(operator, { id, to: tester });
    expect(await trackingOf(tester)).toEqual({ opens: false, clicks: true });
    expect(await send(place(), copy.id, { to: [email] })).toMatchObject({ status: 202 });
    expect(await trackingOf(email)).toEqual({ opens: false, clicks: true });
  });

  it('cannot switch off what an A/B test is decided by', async () => {
    const ab_test = { variants: [{ name: 'A' }, { name: 'B' }], test_share: 0.2, decide_by: 'opens', wait_hours: 1 };
    const body = { name: 'N', subject: 'S', text, ab_test, track: { opens: false } };
    const answer = await call(place(), 'POST', '/api/v1/campaigns', { body });
    expect(answer.status).toBe(422);
    expect(answer.body.error.details.issues).toEqual([expect.objectContaining({ path: 'ab_test.decide_by' })]);
  });
});
