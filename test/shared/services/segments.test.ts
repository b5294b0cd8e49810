import { startTestTable } from '../store/testTable.ts';
import { operatorContext } from './context.ts';

let stop: () => Promise<void>;
let verbs: Awaited<ReturnType<typeof load>>;
const rule = { tag: 'vip' };

const load = async () => ({
  ...(await import('../../../shared/services/segments.ts')),
  ...(await import('../../../shared/platform/config.ts')),
  ...(await import('../../../shared/store/workspace/segments.ts').then(({ putSegment }) => ({ putSegment }))),
});

beforeAll(async () => {
  ({ stop } = await startTestTable());
  verbs = await load();
});
afterAll(() => stop());

/** A workspace of its own for each test. */
let workspaces = 0;
const newContext = () => {
  workspaces += 1;
  return operatorContext(`ws_${workspaces}`);
};

describe('editing a segment', () => {
  it('keeps its name when only the rule changes, and when the name is given again in another case', async () => {
    const context = newContext();
    const { id } = await verbs.createSegment(context, { name: 'Customers', rule });
    const withRule = await verbs.editSegment(context, { id, rule: { tag: 'gold' } });
    expect(withRule).toMatchObject({ id, name: 'Customers', rule: { tag: 'gold' } });
    const withName = await verbs.editSegment(context, { id, name: 'CUSTOMERS' });
    expect(withName).toMatchObject({ id, name: 'CUSTOMERS', rule: { tag: 'gold' } });
    expect((await verbs.listSegments(context)).entries).toEqual([withName]);
  });

  it('refuses the name of another segment in any case, and changes nothing', async () => {
    const context = newContext();
    const first = await verbs.createSegment(context, { name: 'Customers', rule });
    const second = await verbs.createSegment(context, { name: 'Friends', rule });
    const taken = verbs.editSegment(context, { id: second.id, name: 'customers', rule: { tag: 'gold' } });
    await expect(taken).rejects.toMatchObject({ code: 'conflict' });
    expect((await verbs.listSegments(context)).entries).toEqual([second, first]);
  });

  it('refuses an invalid rule with the path of each problem', async () => {
    const context = newContext();
    const { id } = await verbs.createSegment(context, { name: 'Customers', rule });
    await expect(verbs.editSegment(context, { id, rule: { all: [{ tag: '' }] } })).rejects.toMatchObject({
      code: 'validation_error',
      issues: [expect.objectContaining({ path: 'rule.all[0].tag' })],
    });
  });
});

describe('a rule about events', () => {
  const within = (value: number) => ({ event: 'visit', operator: 'within_last_days' as const, value });

  it('looks back as far as events are kept, and a stored one stays readable', async () => {
    const context = newContext();
    await verbs.createSegment(context, { name: 'Longest', rule: within(90) });
    const tooFar = verbs.createSegment(context, { name: 'Too far', rule: { all: [within(91)] } });
    await expect(tooFar).rejects.toMatchObject({ issues: [expect.objectContaining({ path: 'rule.all[0].value' })] });
    const id = 'seg_01k9zq3v5c8r2m4n6p7s9t0wxy';
    await verbs.putSegment(context.workspaceId, { id, name: 'Of before', rule: within(400), createdAt: '2026-01-01' });
    expect(await verbs.editSegment(context, { id, name: 'Renamed' })).toMatchObject({ rule: within(400) });
  });

  it('is about five different events at most', async () => {
    const about = (count: number) => ({
      all: Array.from({ length: 2 * count }, (_, index) => ({ event: `e${index % count}`, operator: 'exists' })),
    });
    const context = newContext();
    await verbs.createSegment(context, { name: 'Five', rule: about(5) });
    const six = verbs.createSegment(context, { name: 'Six', rule: about(6) });
    await expect(six).rejects.toMatchObject({ issues: [expect.objectContaining({ path: 'rule' })] });
  });
});

describe('a rule about mail', () => {
  const opened = { not: { mail: 'opened', operator: 'within_last_days', value: 30 } } as const;
  afterEach(() => verbs.takeSettings({}));

  it('needs the setting, which its refusal names; a stored one stays readable without', async () => {
    const context = newContext();
    const create = () => verbs.createSegment(context, { name: 'Asleep', rule: { all: [{ tag: 'vip' }, opened] } });
    const refusal = [
      { path: 'rule.all[1].not.mail', text: expect.objectContaining({ en: expect.stringContaining('mailActivity') }) },
    ];
    await expect(create()).rejects.toMatchObject({ code: 'validation_error', issues: refusal });
    verbs.takeSettings({ MAIL_ACTIVITY: 'true' });
    const { id } = await create();
    verbs.takeSettings({});
    expect(await verbs.editSegment(context, { id, name: 'Sleepers' })).toMatchObject({ rule: { all: [{}, opened] } });
    await expect(verbs.editSegment(context, { id, rule: opened })).rejects.toMatchObject({
      issues: [expect.objectContaining({ path: 'rule.not.mail' })],
    });
  });
});

describe('creating a segment', () => {
  it('refuses a name that is taken, and takes it again once its segment is deleted', async () => {
    const context = newContext();
    const { id } = await verbs.createSegment(context, { name: 'Customers', rule });
    await expect(verbs.createSegment(context, { name: 'customers', rule })).rejects.toMatchObject({ code: 'conflict' });
    await verbs.deleteSegment(context, { id: 'CUSTOMERS' });
    await expect(verbs.showSegment(context, { id })).rejects.toMatchObject({ code: 'not_found' });
    expect(await verbs.createSegment(context, { name: 'customers', rule })).toMatchObject({ name: 'customers' });
  });

  it('takes 200 for a workspace and refuses one more', async () => {
    const context = newContext();
    const createdAt = context.now.toISOString();
    const segments = Array.from({ length: 199 }, (_, index) => ({
      id: `seg_${index}`,
      name: `S${index}`,
      rule,
      createdAt,
    }));
    await Promise.all(segments.map((segment) => verbs.putSegment(context.workspaceId, segment)));
    await verbs.createSegment(context, { name: 'Customers', rule });
    await expect(verbs.createSegment(context, { name: 'Friends', rule })).rejects.toMatchObject({ code: 'conflict' });
    expect((await verbs.listSegments(context)).entries).toHaveLength(200);
  });
});
