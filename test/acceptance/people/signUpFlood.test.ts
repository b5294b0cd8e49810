import { takeSettings } from '../../../shared/platform/config.ts';
import { operatorContext, personContext } from '../../shared/services/context.ts';
import { call, eventually } from '../client.ts';
import { everyMessage } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
const settings = { SIGN_UPS_PER_HOUR: '120', KEY_CONFIRMATIONS_PER_DAY: '4' };
beforeAll(async () => {
  service = await startService({ env: settings });
  Object.assign(process.env, service.environment);
  takeSettings(settings);
});
afterAll(() => service.stop());

const inside = async () => ({
  ...(await import('../../../shared/services/confirmations/pause.ts')),
  ...(await import('../../../shared/services/confirmations/signUp.ts')),
  ...(await import('../../../shared/store/workspace/workspaces.ts')),
});

const formText = { text: 'Subscribe to Test', language: 'en' };
/** Within one window of an hour, whenever the test runs. */
const begin = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000);
const later = (seconds: number) => new Date(begin.getTime() + seconds * 1000);

/** Signs up one address after the other, each from a network of its own. */
async function flood(own: TestWorkspace, emails: readonly string[], at = begin): Promise<string[]> {
  const { signUp } = await inside();
  const outcomes = emails.map(async (email, index) => {
    const source = `198.${51 + (index >> 8)}.${index & 255}.1`;
    const request = { workspaceId: own.workspaceId, email, source, formText };
    return (await signUp(personContext(at), request)).outcome;
  });
  return Promise.all(outcomes);
}

const named = (name: string, count: number) => Array.from({ length: count }, (_, index) => `n${index}@${name}.example`);

async function messagesAt(domain: string) {
  const found = [];
  for await (const message of everyMessage(service)) {
    if (message.recipients.some((recipient) => recipient.endsWith(domain))) found.push(message);
  }
  return found;
}

const bounce = (message_id: string) =>
  fetch(`${service.sesEndpoint}/_control/events`, {
    method: 'POST',
    body: JSON.stringify({ message_id, type: 'Bounce' }),
  });

describe('a flood of sign-ups with dead addresses', () => {
  it('pauses the confirmations for a day, and never the mail of the workspace', async () => {
    const own = await newWorkspace(service);
    const client = { ...service, apiKey: own.apiKey };
    const { getWorkspace, resumeConfirmations } = await inside();
    expect(new Set(await flood(own, named('dead', 110)))).toEqual(new Set(['accepted']));
    const sent = await eventually(async () => {
      const messages = await messagesAt('@dead.example');
      return messages.length === 110 && messages;
    });
    await Promise.all(sent.map(({ message_id }) => bounce(message_id)));
    const pause = await eventually(async () => (await getWorkspace(own.workspaceId))?.confirmationPause ?? null);
    expect(Date.parse(pause.until) - Date.parse(pause.since)).toBe(86_400_000);

    const { sending } = (await call(client, 'GET', '/api/v1/me')).body;
    expect(sending).toEqual({ suspended: false, bounce_rate: 0, complaint_rate: 0 });
    const body = { from: `a@${own.domain}`, to: 'c@example.net', subject: 's', text: 't' };
    expect((await call(client, 'POST', '/api/v1/emails', { body })).status).toBe(202);
    expect(service.logLines()).toContainEqual(
      expect.objectContaining({ level: 'ERROR', ConfirmationsPaused: 1, workspace_id: own.workspaceId }),
    );

    // The form says that it is closed, to everybody; what a key requests waits.
    expect(await flood(own, ['known@paused.example'])).toEqual(['unavailable']);
    expect((await call(client, 'POST', '/api/v1/subscribers', { body: { email: 'k@paused.example' } })).status).toBe(
      201,
    );
    expect(await flood(own, ['late@paused.example'], later(86_400))).toEqual(['accepted']);

    await resumeConfirmations(operatorContext(own.workspaceId));
    expect(await flood(own, ['known@paused.example'])).toEqual(['accepted']);
    await eventually(async () => (await messagesAt('known@paused.example')).length === 1);
    // What was counted before no longer counts.
    const [message] = await messagesAt('known@paused.example');
    await bounce(message?.message_id ?? '');
    await eventually(async () => {
      const key = '/api/v1/subscribers/known@paused.example';
      return (await call(client, 'GET', key)).body.status === 'bounced';
    });
    expect(await flood(own, ['again@paused.example'])).toEqual(['accepted']);
  });

  it('uses a budget of its workspace alone, which is renewed every hour', async () => {
    const [own, other] = [await newWorkspace(service), await newWorkspace(service)];
    const outcomes = await flood(own, named('many', 125));
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(120);
    expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(5);
    expect(await flood(other, ['a@many.example'])).toEqual(['accepted']);
    expect(await flood(own, ['b@many.example'], later(3600))).toEqual(['accepted']);
  });
});

describe('confirmations that an API key requests', () => {
  it('have a budget: beyond it 422, and nothing is stored', async () => {
    const own = await newWorkspace(service, { plan: 'free' });
    const client = { ...service, apiKey: own.apiKey };
    const { requestedConfirmationsKey } = await import('../../../shared/store/table/keys.ts');
    const { upsertItem } = await import('../../../shared/store/table/write.ts');
    const add = (email: string, more = {}) => call(client, 'POST', '/api/v1/subscribers', { body: { email, ...more } });
    // All but two of the month's share of the plan: a tenth of 3,000.
    const month = new Date().toISOString().slice(0, 7);
    await upsertItem<{ month: number }>(requestedConfirmationsKey(own.workspaceId, month), { set: { month: 298 } });
    const answers = await Promise.all(named('asked', 6).map((email) => add(email)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body.error).toMatchObject({
      code: 'validation_error',
      details: { reason: 'confirmation_budget', issues: [{ path: 'double_opt_in' }] },
    });
    const listed = await call(client, 'GET', '/api/v1/subscribers');
    expect(listed.body.data).toHaveLength(4);
    // Without a confirmation there is nothing to count.
    const known = listed.body.data[0].email;
    expect((await add(known, { firstName: 'Ada' })).status).toBe(200);
    expect((await add('direct@asked.example', { double_opt_in: false })).status).toBe(201);
  });

  it('give their place back when none is requested after all', async () => {
    const own = await newWorkspace(service, { plan: 'free' });
    const { keyBudget } = await import('../../../shared/services/confirmations/keyBudget.ts');
    const { requestedConfirmationsKey } = await import('../../../shared/store/table/keys.ts');
    const { upsertItem } = await import('../../../shared/store/table/write.ts');
    const now = new Date();
    const key = requestedConfirmationsKey(own.workspaceId, now.toISOString().slice(0, 7));
    const day = `d${now.toISOString().slice(8, 10)}` as const;
    await upsertItem<Record<string, number>>(key, {
      set: [
        ['month', 299],
        [day, 4],
      ],
    });
    const [last, late] = [keyBudget(own.workspaceId, now), keyBudget(own.workspaceId, now)];
    for (const _ of [1, 2]) await last.take('free');
    await expect(late.take('free')).rejects.toMatchObject({ code: 'validation_error' });
    // It took nothing, so it gives nothing back.
    await late.giveBack();
    await expect(late.take('free')).rejects.toMatchObject({ code: 'validation_error' });
    await last.giveBack();
    await late.take('free');
  });
});
