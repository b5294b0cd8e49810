import { jest } from '@jest/globals';
import { createId } from '../../../../shared/domain/identifier.ts';
import type { Email } from '../../../../shared/store/emails/email.ts';
import { positions, startWorld, type World } from '../campaigns/world.ts';

let world: World;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [emails, sweep, campaigns, feedback, watermarks, reservations, attempts, settlement, log] = await Promise.all([
    import('../../../../shared/store/emails/email.ts'),
    import('../../../../shared/services/sweep/settleSends.ts'),
    import('../../../../shared/services/sweep/watchCampaigns.ts'),
    import('../../../../shared/services/sweep/watchFeedback.ts'),
    import('../../../../shared/store/feedbackWatermarks.ts'),
    import('../../../../shared/store/quota/reservations.ts'),
    import('../../../../shared/store/quota/attempts.ts'),
    import('../../../../shared/store/quota/settlement.ts'),
    import('../../../../shared/platform/logger.ts'),
  ]);
  return {
    ...emails,
    ...sweep,
    ...campaigns,
    ...feedback,
    ...watermarks,
    ...reservations,
    ...attempts,
    ...settlement,
    ...log,
  };
}

beforeAll(async () => {
  world = await startWorld();
  modules = await load();
});
afterAll(() => world.stop());

const start = Date.now();
const minutes = (count: number) => new Date(start + count * 60_000);

/** What the sweep notices at this minute, settlement and campaigns before. */
async function noticesAt(count: number): Promise<unknown[]> {
  const error = jest.spyOn(modules.logger, 'error').mockImplementation(() => {});
  try {
    await modules.sweepOpenSends(minutes(count));
    await modules.sweepCampaigns(minutes(count));
    await modules.sweepFeedback(minutes(count));
    const lines = error.mock.calls as unknown as [string, Record<string, unknown>][];
    return lines.filter(([, fields]) => fields.FeedbackSilent).map(([, { queue }]) => queue);
  } finally {
    error.mockRestore();
  }
}

/** An email that SES accepted at this minute, without an event of it. */
async function acceptedAt(count: number): Promise<void> {
  const now = minutes(count);
  const email: Email = {
    workspaceId: createId('ws', now),
    id: createId('email', now),
    from: 'a@example.com',
    to: ['b@example.net'],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: 's',
    tags: [],
    envelopes: [['b@example.net']],
    createdAt: now.toISOString(),
    expiresAt: Math.floor(now.getTime() / 1000) + 3600,
    isQuotaExempt: false,
  };
  const reserved = await modules.reserve(email, modules.quotaOf(email, email.to), 10, now, 'first');
  if (!reserved.ok) throw new Error('The quota did not suffice.');
  await modules.recordAcceptance(email, 0, 'm0', reserved.minute, now);
}

describe('mail of which SES reports nothing', () => {
  it('is noticed a quarter of an hour later, at every run, until an event comes', async () => {
    await modules.raiseEmailWatermark(minutes(-120));
    await acceptedAt(0);
    const quiet = [];
    for (const count of [5, 7, 12, 15]) quiet.push(...(await noticesAt(count)));
    expect(quiet).toEqual([]);
    expect(await noticesAt(18)).toEqual(['feedback']);
    expect(await noticesAt(19)).toEqual(['feedback']);
    await modules.raiseEmailWatermark(minutes(1));
    expect(await noticesAt(20)).toEqual([]);
  });

  it('is not noticed when its events came before it was settled, nor when nothing was accepted', async () => {
    await acceptedAt(100);
    await modules.raiseEmailWatermark(minutes(100.5));
    const refused = minutes(101);
    const email = { workspaceId: createId('ws', refused), id: createId('email', refused), isQuotaExempt: false };
    const to = ['b@example.net'];
    await modules.reserve(
      { ...email, to, envelopes: [to] } as unknown as Email,
      { recipients: 1, counted: 1 },
      10,
      refused,
      'first',
    );
    const seen = [];
    for (const count of [106, 108, 118, 125]) seen.push(...(await noticesAt(count)));
    expect(seen).toEqual([]);
  });

  it('is not noticed of a last message whose event came within the pause of the watermark', async () => {
    const minute = Math.floor(minutes(150).getTime() / 60_000) * 60_000;
    await modules.raiseEmailWatermark(new Date(minute - 2000));
    await acceptedAt((minute + 3000 - start) / 60_000);
    const seen = [];
    for (const count of [156, 158, 168, 175]) seen.push(...(await noticesAt(count)));
    expect(seen).toEqual([]);
  });

  it('is noticed for campaigns by their own queue, while they are sent', async () => {
    const campaign = await world.sending(100);
    await modules.raiseCampaignWatermark(minutes(-60));
    await noticesAt(202);
    await world.addToSlice(campaign, 0, 0, { accepted: positions(0, 50) });
    await world.addToTally(campaign, 0, { sent: 50 });
    const quiet = [];
    for (const count of [204, 208, 212]) quiet.push(...(await noticesAt(count)));
    expect(quiet).toEqual([]);
    expect(await noticesAt(216)).toEqual(['campaign-feedback']);
    await modules.raiseCampaignWatermark(minutes(203));
    expect(await noticesAt(218)).toEqual([]);
  });
});
