import { createId } from '../../../../shared/domain/identifier.ts';
import type { NewScheduledEmail } from '../../../../shared/store/emails/scheduledEmails.ts';
import { aroundUnits } from '../aroundCalls.ts';
import { startTestTable } from '../testTable.ts';

const now = new Date('2026-06-15T12:00:30.000Z');
const at = new Date('2026-06-30T23:59:30.000Z');

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [emails, due, item, documents, config] = await Promise.all([
    import('../../../../shared/store/emails/scheduledEmails.ts'),
    import('../../../../shared/store/emails/scheduledEmails.ts'),
    import('../../../../shared/store/emails/scheduledEmails.ts'),
    import('../../../../shared/store/table/table.ts'),
    import('../../../../shared/platform/config.ts'),
  ]);
  return { ...emails, ...due, ...item, ...documents, ...config };
}

/** Write units, those of indexes included, as DynamoDB counts them. */
let units = 0;

beforeEach(() => modules.takeSettings({ EMAIL_LIST: 'none' }));
beforeAll(async () => {
  table = await startTestTable();
  modules = await load();
  aroundUnits(modules.documents, ({ operation }, taken) => {
    if (!/Query|Get/.test(operation)) units += taken;
  });
});
afterAll(() => table.stop());

const newEmail = (): NewScheduledEmail => ({
  workspaceId: createId('ws', new Date()),
  id: createId('email', new Date()),
  content: {
    from: 'Acme <hello@example.com>',
    to: ['ada@example.net'],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: 'Your receipt',
    tags: [{ name: 'kind', value: 'receipt' }],
  },
  state: 'scheduled',
  scheduledAt: at.toISOString(),
  createdAt: now.toISOString(),
  updatedAt: now.toISOString(),
  expiresAt: Math.floor(at.getTime() / 1000) + 3600,
  inDoubt: [],
  tries: 0,
});

const far = { stage: 'far', at } as const;
const late = { stage: 'queued', at: new Date(at.getTime() + 90_000) } as const;

/** What a step takes. */
async function unitsOf(step: () => Promise<unknown>): Promise<number> {
  units = 0;
  await step();
  return units;
}

describe('a scheduled email', () => {
  it('is read as it was written, once', async () => {
    const email = newEmail();
    expect([await modules.addScheduled(email, far), await modules.addScheduled(email, far)]).toEqual([true, false]);
    expect(await modules.getScheduled(email)).toEqual({ ...email, isDue: true });
  });

  it('belongs to one of those who claim, cancel and move it at the same moment', async () => {
    for (let round = 0; round < 20; round += 1) {
      const email = { ...newEmail(), isDue: true };
      await modules.addScheduled(email, far);
      const answers = await Promise.all([
        modules.claimScheduled(email, [], at, late),
        modules.endScheduled(email, { reason: 'requested' }, at, late),
        modules.claimScheduled(email, [], new Date(at.getTime() + 1), late),
        modules.reschedule(email, '2026-07-01T00:00:00.000Z', late, at, 0),
      ]);
      expect(answers.filter(Boolean)).toHaveLength(1);
    }
  });

  it.each([
    ['none', [2, 3, 3, 2]],
    ['newest', [4, 3, 3, 4]],
  ] as const)(
    'takes 10 write units besides those of an email when it is far ahead, 7 when it is near, and 4 in lists: %s',
    async (list, expected) => {
      modules.takeSettings({ EMAIL_LIST: list });
      const email = { ...newEmail(), isDue: true };
      const steps = [
        await unitsOf(() => modules.addScheduled(email, far)),
        await unitsOf(async () => {
          const due = await modules.listDueScheduled('far', at, 100);
          const own = due.find(({ key }) => key.pk.endsWith(email.id));
          if (own) await modules.takeDue(own, late.at);
        }),
        await unitsOf(() => modules.claimScheduled(email, [], at, { ...late, at: new Date(late.at.getTime() + 1000) })),
        await unitsOf(() => modules.deleteScheduled(email)),
      ];
      expect(steps.map(Math.round)).toEqual(expected);
    },
  );

  it('counts its tries anew for another time', async () => {
    const email = { ...newEmail(), isDue: true };
    await modules.addScheduled(email, far);
    const claimed = await modules.claimScheduled(email, [], at, late);
    const waiting = claimed && (await modules.reopenScheduled(claimed, true, 3, late));
    expect(waiting?.tries).toBe(3);
    const next = '2026-07-01T00:00:00.000Z';
    expect(waiting && (await modules.reschedule(waiting, next, far, at, email.expiresAt))).toMatchObject({
      scheduledAt: next,
      tries: 0,
    });
    expect((await modules.getScheduled(email))?.tries).toBe(0);
  });

  it('is due again when it was canceled, until all is done', async () => {
    modules.takeSettings({ EMAIL_LIST: 'newest' });
    const email = newEmail();
    await modules.addScheduled(email, far);
    const seen = await modules.getScheduled(email);
    if (!seen) throw new Error('It was not written.');
    const canceled = await modules.endScheduled(seen, { reason: 'requested' }, now, late);
    expect(canceled).toMatchObject({ state: 'canceled', reason: 'requested', isDue: true });
    const due = await modules.listDueScheduled('queued', late.at, 100);
    expect(due.some(({ key }) => key.pk.endsWith(email.id))).toBe(true);
    await modules.settleCanceled(canceled ?? seen);
    expect((await modules.getScheduled(email))?.isDue).toBe(false);
  });

  it('is not kept from being read by a field or a reason that a later release has written', async () => {
    const item = {
      ...modules.attributesOfScheduled(newEmail()),
      state: 'canceled',
      reason: 'of_later',
      colour: 'green',
    };
    const { state, reason } = modules.scheduledOf(item);
    expect([state, reason]).toEqual(['canceled', undefined]);
  });
});
