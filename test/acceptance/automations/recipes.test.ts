import { readFileSync } from 'node:fs';
import { call } from '../client.ts';
import { type ClockedService, startClockedService } from '../clockedService.ts';
import { inbox } from '../inbox.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: ClockedService;
beforeAll(async () => {
  service = await startClockedService();
});
afterAll(() => service.stop());

const hourMilliseconds = 3_600_000;

const docs = (path: string): string => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8');

/** A recipe of the documentation in a workspace of its own, enabled. `segment`: what it names `SEGMENT_ID`. */
async function enabled(name: string, segment?: unknown) {
  const workspace = await newWorkspace(service);
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await call({ ...service, ...workspace }, method, `/api/v1${path}`, { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const segmentId = segment === undefined ? '' : (await ask('POST', '/segments', segment)).id;
  const definition = JSON.parse(docs(`recipes/${name}.json`).replace('SEGMENT_ID', segmentId));
  const { id } = await ask('POST', '/automations', { ...definition, status: 'enabled' });
  return { id, ask, workspace };
}

const subscribe = (ask: Awaited<ReturnType<typeof enabled>>['ask'], email: string, more: object = {}) =>
  ask('POST', '/subscribers', { email, double_opt_in: false, ...more });

/** Subjects with the hours since a moment, oldest first. */
async function mailTo(address: string, since: Date): Promise<[string, number][]> {
  const messages = (await inbox(service, address)) as unknown as { subject: string; created_at: string }[];
  return messages
    .map(({ subject, created_at }): [string, number] => [
      subject,
      Math.round((Date.parse(created_at) - since.getTime()) / hourMilliseconds),
    ])
    .reverse();
}

const addressIn = ({ domain }: TestWorkspace, name: string) => `${name}@${domain}`;

describe('the recipe', () => {
  it('welcome.json greets, reminds whoever did not click, and writes once more', async () => {
    const { ask, workspace } = await enabled('welcome');
    const [ada, alan] = ['ada', 'alan'].map((name) => addressIn(workspace, name)) as [string, string];
    const start = await service.now();
    await subscribe(ask, ada, { firstName: 'Ada' });
    await subscribe(ask, alan);
    await service.advance('1 day');
    const [welcome] = await inbox(service, ada);
    const clicked = { message_id: welcome?.message_id, type: 'Click' };
    await fetch(`${service.sesEndpoint}/_control/events`, { method: 'POST', body: JSON.stringify(clicked) });
    await service.advance('6 days');
    expect(await mailTo(ada, start)).toEqual([
      ['Welcome, Ada!', 0],
      ['What to do next', 24],
      ['Your first week', 24 + 96],
    ]);
    expect(await mailTo(alan, start)).toEqual([
      ['Welcome, and thank you!', 0],
      ['Did you see our guide?', 48],
      ['Your first week', 48 + 96],
    ]);
  }, 120_000);

  it('cart.json reminds twice, and of nothing once somebody has bought', async () => {
    const { id, ask, workspace } = await enabled('cart');
    const [ada, alan, grace] = ['ada', 'alan', 'grace'].map((name) => addressIn(workspace, name)) as [
      string,
      string,
      string,
    ];
    const start = await service.now();
    for (const email of [ada, alan, grace]) await subscribe(ask, email);
    const cart = (email: string, total: number) =>
      ask('POST', '/events', { name: 'cart_updated', email, data: { total } });
    await cart(ada, 59);
    await cart(alan, 20);
    await cart(alan, 25);
    await cart(grace, 0);
    await service.advance('3 hours');
    await ask('POST', '/events', { name: 'order_placed', email: alan });
    await service.advance('3 days');
    expect(await mailTo(ada, start)).toEqual([
      ['You left something behind', 1],
      ['Shall we keep your cart?', 25],
    ]);
    expect(await mailTo(alan, start)).toEqual([['You left something behind', 1]]);
    expect(await mailTo(grace, start)).toEqual([]);
    expect((await ask('GET', `/automations/${id}/stats`)).not_started).toMatchObject({
      already_running: 1,
      filtered: 1,
    });
  }, 120_000);

  it('review.json asks about each order, by day on the clocks of the person', async () => {
    const { ask, workspace } = await enabled('review');
    const [ada, kenji] = ['ada', 'kenji'].map((name) => addressIn(workspace, name)) as [string, string];
    await subscribe(ask, ada);
    await subscribe(ask, kenji, { fields: { time_zone: 'Asia/Tokyo' } });
    const delivered = (email: string, order_id: string) =>
      ask('POST', '/events', { name: 'parcel_delivered', email, data: { order_id, product: order_id } });
    for (const email of [ada, kenji]) for (const order of ['one', 'two']) await delivered(email, order);
    await service.advance('7 days');
    for (const [email, zone] of [
      [ada, 'Europe/Paris'],
      [kenji, 'Asia/Tokyo'],
    ] as const) {
      const messages = (await inbox(service, email)) as unknown as { subject: string; created_at: string }[];
      expect(messages.map(({ subject }) => subject).sort()).toEqual(['How do you like one?', 'How do you like two?']);
      for (const { created_at } of messages) {
        const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' });
        const hour = Number(format.format(new Date(created_at)));
        expect([zone, hour >= 9 && hour < 20]).toEqual([zone, true]);
      }
    }
  }, 120_000);

  it('trial-ending.json writes three days before the date in a field and on the day, and follows it', async () => {
    const { ask, workspace } = await enabled('trial-ending');
    const [ada, alan, grace, kenji] = ['ada', 'alan', 'grace', 'kenji'].map((name) => addressIn(workspace, name)) as [
      ...[string, string, string, string],
    ];
    const day = (days: number) => new Date(start.getTime() + days * 24 * hourMilliseconds).toISOString().slice(0, 10);
    const start = await service.now();
    const ends = (email: string, days: number) =>
      ask('PATCH', `/subscribers/${email}`, { fields: { trial_ends: day(days) } });
    for (const email of [ada, alan, grace]) await subscribe(ask, email, { fields: { trial_ends: day(6) } });
    // Too late for the first message, and for the automation.
    await subscribe(ask, kenji, { fields: { trial_ends: day(2) } });
    await ask('POST', '/events', { name: 'subscription_paid', email: grace });
    await service.advance('1 day');
    await ends(alan, 10);
    await service.advance('13 days');
    const sent = async (email: string) => {
      const messages = (await inbox(service, email)) as unknown as { subject: string; created_at: string }[];
      return messages.map(({ subject, created_at }) => `${parisTime(created_at)} ${subject}`).reverse();
    };
    expect(await sent(ada)).toEqual([
      `${day(3)} 09 Your trial ends in three days`,
      `${day(6)} 09 Your trial has ended`,
    ]);
    expect(await sent(alan)).toEqual([
      `${day(7)} 09 Your trial ends in three days`,
      `${day(10)} 09 Your trial has ended`,
    ]);
    expect([await sent(grace), await sent(kenji)]).toEqual([[], []]);
  }, 120_000);

  it('win-back.json writes to people who bought nothing for 60 days, and stops when they do', async () => {
    const [, segment = ''] = /```json inactive\.json\n([\s\S]+?)\n```/.exec(docs('recipes.md')) ?? [];
    const { ask, workspace } = await enabled('win-back', JSON.parse(segment));
    const [ada, alan, grace] = ['ada', 'alan', 'grace'].map((name) => addressIn(workspace, name)) as [
      ...[string, string, string],
    ];
    for (const email of [ada, alan, grace]) await subscribe(ask, email, { firstName: 'Ada' });
    const order = (email: string, more: object = {}) =>
      ask('POST', '/events', { name: 'order_placed', email, ...more });
    // Reported after the fact, so that the clock need not go through two months.
    const timestamp = new Date((await service.now()).getTime() - 57 * 24 * hourMilliseconds).toISOString();
    for (const email of [ada, alan]) await order(email, { timestamp });
    await service.advance('2 days');
    expect((await Promise.all([ada, alan, grace].map((email) => inbox(service, email)))).flat()).toEqual([]);
    await service.advance('3 days');
    await order(alan);
    await service.advance('8 days');
    const subjects = async (email: string) =>
      ((await inbox(service, email)) as unknown as { subject: string }[]).map(({ subject }) => subject).reverse();
    expect(await subjects(ada)).toEqual(['We miss you, Ada', 'Ten per cent for your next order']);
    expect(await subjects(alan)).toEqual(['We miss you, Ada']);
    expect(await subjects(grace)).toEqual([]);
  }, 240_000);
});

/** The day and the hour in Paris. */
function parisTime(at: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...({ timeZone: 'Europe/Paris', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' } as const),
  });
  return format.format(new Date(at));
}
