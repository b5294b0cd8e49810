import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { startDynamoDb } from '../../../../infra/local/engines/dynamodb.ts';
import { ensureTable } from '../../../../infra/local/engines/tableResource.ts';
import { createId } from '../../../../shared/domain/token/identifier.ts';
import type { EmailRecord } from '../../../../shared/store/sending/emails.ts';
import { temporaryFolder } from '../../../infra/local/processes.ts';
import { operatorContext } from '../context.ts';

const recipients = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.net`);
const envelopes = [recipients.slice(0, 2), recipients.slice(2, 4), recipients.slice(4)];
const quota = 3000;

let stop: () => Promise<void>;
let modules: Awaited<ReturnType<typeof load>>;
let workspaceId: string;

async function load() {
  const [emails, openSends, usage, sweep, acceptSend, reservation, workspaces] = await Promise.all([
    import('../../../../shared/store/sending/emails.ts'),
    import('../../../../shared/store/sending/openSends.ts'),
    import('../../../../shared/store/sending/usage.ts'),
    import('../../../../shared/services/sweep/openSends.ts'),
    import('../../../../shared/services/feedback/email/accepted.ts'),
    import('../../../../shared/services/emails/reservation.ts'),
    import('../../../../shared/services/workspaces/create.ts'),
  ]);
  return { ...emails, ...openSends, ...usage, ...sweep, ...acceptSend, ...reservation, ...workspaces };
}

beforeAll(async () => {
  const folder = await temporaryFolder();
  const dynamodb = await startDynamoDb({ dataDir: folder.path });
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
    TABLE_NAME: 'test',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
  const table = new DynamoDBClient({ endpoint: dynamodb.endpoint, region: 'us-east-1', credentials });
  await ensureTable(table, 'test');
  modules = await load();
  ({ id: workspaceId } = await modules.createWorkspace(operatorContext(), {
    name: 'Test',
    plan: 'free',
    language: 'en',
  }));
  stop = async () => {
    table.destroy();
    await dynamodb.stop();
    await folder.remove();
  };
});
afterAll(() => stop());

/** An email whose call has reserved and recorded it, and what can happen to it from there on. */
async function openEmail() {
  const now = new Date();
  const record: EmailRecord = {
    workspace_id: workspaceId,
    email_id: createId('email', now),
    from: 'a@example.com',
    to: recipients,
    cc: [],
    bcc: [],
    reply_to: [],
    subject: 's',
    tags: [],
    envelopes,
    month: now.toISOString().slice(0, 7),
    day: now.toISOString().slice(8, 10),
    created_at: now.toISOString(),
    expires_at: Math.floor(now.getTime() / 1000) + 3600,
  };
  const { email_id: emailId } = record;
  const usedInAll = async () => (await modules.getMonth(workspaceId, record.month)).used;
  const usedBefore = await usedInAll();
  const reservation = { ...modules.reservationOf(record, recipients), at: now };
  await Promise.all([modules.reserve(workspaceId, quota, reservation), modules.putEmail(record)]);
  const read = async () => {
    const email = await modules.getEmail(workspaceId, emailId);
    if (!email) throw new Error('The email is gone.');
    return email;
  };
  const taken = new Set<number>();
  return {
    taken,
    used: async () => (await usedInAll()) - usedBefore,
    read,
    /** The provider's Send event, which comes for whatever it took, at any time and more than once. */
    sendEvent: async (envelope: number) => {
      taken.add(envelope);
      await modules.recordAccepted({
        origin: { kind: 'email', id: emailId, workspaceId, envelope },
        message: { id: `m${envelope}`, subject: null, tags: [] },
        happenings: [{ type: 'accepted' }],
      });
    },
    sweep: () => modules.sweepOpenSends(new Date(now.getTime() + 180_000)),
    /** A later call under the same key reserves what is open, and dies. */
    resume: async () => {
      const { messageIds } = await read();
      const open = [...envelopes.keys()].filter((index) => !messageIds[index]);
      if (open.length === 0) return;
      const again = modules.reservationOf(
        record,
        open.flatMap((index) => envelopes[index] ?? []),
      );
      await modules.reserveAgain(record, open, quota, { ...again, at: now });
    },
  };
}

const countOf = (indexes: Iterable<number>) =>
  [...indexes].reduce((sum, index) => sum + (envelopes[index]?.length ?? 0), 0);

describe('a send that nobody saw the end of', () => {
  it('is given back, and counted again envelope by envelope when its Send events come late', async () => {
    const email = await openEmail();
    await email.sendEvent(0);
    await email.sweep();
    expect(await email.used()).toBe(2);
    await email.sendEvent(1);
    expect(await email.used()).toBe(4);
    await email.sendEvent(1);
    await email.sendEvent(2);
    expect(await email.used()).toBe(5);
    await email.sweep();
    expect(await email.used()).toBe(5);
    expect((await email.read()).messageIds).toEqual(['m0', 'm1', 'm2']);
  });

  it('tells a later call when what it would send again is accepted', async () => {
    const email = await openEmail();
    await email.sweep();
    const stale = await email.read();
    await email.sendEvent(0);
    const reservation = { ...modules.reservationOf(stale.record, recipients), at: new Date() };
    expect(await modules.reserveAgain(stale.record, [0, 1, 2], quota, reservation)).toBeNull();
    expect(await email.used()).toBe(2);
  });

  it('refuses a later call for which the quota has no room, and keeps the record for the late word', async () => {
    const email = await openEmail();
    await email.sweep();
    const { record } = await email.read();
    const reservation = { ...modules.reservationOf(record, recipients), at: new Date() };
    expect(await modules.reserveAgain(record, [0, 1, 2], 4, reservation)).toMatchObject({ ok: false });
    await email.sendEvent(2);
    expect(await email.used()).toBe(1);
  });

  it('counts exactly what the provider took, whatever happens in whatever order and at once', async () => {
    const event = fc.nat({ max: 2 }).map((envelope) => ({ kind: 'sendEvent', envelope }) as const);
    const step = fc.oneof(event, fc.constantFrom({ kind: 'sweep' } as const, { kind: 'resume' } as const));
    const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(rounds, async (plan) => {
        const email = await openEmail();
        for (const round of plan) {
          await Promise.all(
            round.map((one) => (one.kind === 'sendEvent' ? email.sendEvent(one.envelope) : email[one.kind]())),
          );
        }
        await email.sweep();
        expect(await email.used()).toBe(countOf(email.taken));
        const { messageIds, givenBack } = await email.read();
        expect(messageIds.map(Boolean)).toEqual([0, 1, 2].map((index) => email.taken.has(index)));
        expect(givenBack).toEqual([0, 1, 2].map((index) => !email.taken.has(index)));
      }),
      { numRuns: 25 },
    );
  });
});

describe('what the sweeper does not know', () => {
  it.each([
    ['a campaign', createId('camp', new Date())],
    ['a holder of a later release', 'digest_01j0000000000000000000000'],
  ])('it never gives back: 50,000 recipients reserved for %s', async (_, holderId) => {
    const now = new Date();
    const month = now.toISOString().slice(0, 7);
    const usedBefore = (await modules.getMonth(workspaceId, month)).used;
    const reservation = { holderId, month, day: now.toISOString().slice(8, 10), recipients: 50_000, counted: 50_000 };
    await modules.reserve(workspaceId, 1_000_000, { ...reservation, at: now });
    await modules.sweepOpenSends(new Date(now.getTime() + 24 * 3_600_000));
    expect((await modules.getMonth(workspaceId, month)).used - usedBefore).toBe(50_000);
    await modules.giveBack(workspaceId, reservation);
  });
});
