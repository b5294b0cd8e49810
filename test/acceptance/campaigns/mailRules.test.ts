import { call } from '../client.ts';
import { type ClockedService, startClockedService } from '../clockedService.ts';
import { inbox } from '../inbox.ts';
import { newWorkspace } from '../workspace.ts';

let service: ClockedService;
beforeAll(async () => {
  service = await startClockedService({ env: { MAIL_ACTIVITY: 'true' } });
});
afterAll(() => service.stop());

const reader = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:115.0) Gecko/20100101 Thunderbird/115.10.1';
const relay = 'Mozilla/5.0';

it('segments and campaigns reach exactly those who were sent mail, opened it, or clicked', async () => {
  const workspace = await newWorkspace(service);
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await call({ ...service, ...workspace }, method, `/api/v1${path}`, { ...(body && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const [ada, alan, bob, grace, customer] = ['ada', 'alan', 'bob', 'grace', 'customer'].map(
    (name) => `${name}@${workspace.domain}`,
  ) as [string, string, string, string, string];
  const subscribe = (email: string) => ask('POST', '/subscribers', { email, double_opt_in: false });
  const send = async (campaign: object) => {
    const { id } = await ask('POST', '/campaigns', { name: 'News', text: 'https://example.com/', ...campaign });
    await ask('POST', `/campaigns/${id}/send`);
    await service.advance('1 hour');
  };
  const happens = async (type: 'Open' | 'Click', email: string, user_agent = reader) => {
    const [message] = await inbox(service, email);
    const body = JSON.stringify({ type, message_id: message?.message_id, user_agent });
    expect((await fetch(`${service.sesEndpoint}/_control/events`, { method: 'POST', body })).status).toBe(202);
  };
  const membersOf = async (rule: object) => {
    const { recipients, sample } = await ask('POST', '/segments/preview', { rule });
    expect(recipients).toBe(sample.length);
    return sample.map(({ email }: { email: string }) => email).sort();
  };
  const mail = (action: string, days?: number) =>
    days === undefined
      ? { mail: action, operator: 'exists' }
      : { mail: action, operator: 'within_last_days', value: days };

  for (const email of [ada, alan, bob]) await subscribe(email);
  await send({ subject: 'News' });
  await subscribe(grace);
  const receipt = { from: `shop@${workspace.domain}`, subject: 'Receipt', text: 'Thank you.' };
  for (const to of [grace, customer]) await ask('POST', '/emails', { ...receipt, to });
  await service.advance('1 hour');
  await happens('Open', ada);
  await happens('Click', ada);
  await happens('Open', bob, relay);
  for (const email of [grace, customer]) await happens('Click', email);
  await service.advance('1 hour');

  expect(await membersOf(mail('sent'))).toEqual([ada, alan, bob, grace]);
  expect(await membersOf(mail('opened'))).toEqual([ada]);
  expect(await membersOf({ all: [mail('sent'), { not: mail('opened') }] })).toEqual([alan, bob, grace]);
  expect(await membersOf(mail('clicked', 7))).toEqual([ada, grace]);
  const clicked = await ask('POST', '/segments', { name: 'Readers', rule: mail('clicked') });
  await send({ subject: 'For readers', segment_id: clicked.id });
  const got = await Promise.all([ada, alan, bob, grace, customer].map((email) => inbox(service, email)));
  expect(got.map(([latest]) => latest?.subject)).toEqual(['For readers', 'News', 'News', 'For readers', 'Receipt']);
  await service.advance('8 days');
  expect(await membersOf(mail('clicked', 7))).toEqual([]);
  expect(await membersOf(mail('clicked'))).toEqual([ada, grace]);
}, 120_000);
