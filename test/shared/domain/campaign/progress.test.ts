import type { AbTest, Campaign } from '../../../../shared/domain/campaign/campaign.ts';
import { type ProgressFacts, progressOf } from '../../../../shared/domain/campaign/progress.ts';
import { draftCampaign } from './draftCampaign.ts';

const start = new Date('2026-11-21T12:00:00.000Z');
const later = (seconds: number) => new Date(start.getTime() + seconds * 1000);

const undecided: AbTest = { variants: 2, share: 0.3, decideBy: 'opens', waitHours: 4, decideAt: null, winner: null };

function sending(over: Partial<Campaign> = {}): Campaign {
  const groups = over.test
    ? [
        { variant: 0, people: 15 },
        { variant: 1, people: 15 },
        { variant: null, people: 70 },
      ]
    : [{ variant: 0, people: 100 }];
  const freeze = { id: 'f', at: start.toISOString(), groups, runners: 2, month: '2026-11' };
  return { ...draftCampaign('ws_1', start), status: 'sending', freeze, ...over };
}

const facts = (tally: Record<string, number>, over: Partial<ProgressFacts> = {}): ProgressFacts => ({
  tally,
  movedAt: later(10).getTime(),
  promisedUntil: null,
  ...over,
});

const reasonAt = (seconds: number, campaign: Campaign, known: ProgressFacts) =>
  progressOf(campaign, known, later(seconds)).reason;

describe('the progress of a campaign', () => {
  it('has the rate that was measured, and the end at that rate', () => {
    expect(progressOf(sending(), facts({ sent: 20 }), later(10))).toMatchObject({
      ...{ queued: 100, sent: 20, waiting: 80, paused: false, reason: null, rate: 2 },
      estimatedEnd: later(50),
    });
  });

  it('has a rate from two seconds after its start', () => {
    const rates = [1.999, 2].map((seconds) => progressOf(sending(), facts({ sent: 20 }), later(seconds)).rate);
    expect(rates).toEqual([null, 10]);
  });

  it('has no rate and no end before anything is measured, after an interruption, or while it waits', () => {
    const none = { rate: null, estimatedEnd: null };
    expect(progressOf(sending(), facts({}), later(10))).toMatchObject(none);
    expect(progressOf(sending(), facts({ sent: 20 }), later(1))).toMatchObject(none);
    const resumed = sending({ updatedAt: later(5).toISOString() });
    expect(progressOf(resumed, facts({ sent: 20 }), later(10))).toMatchObject({ ...none, reason: null });
    const hold = { reason: 'store_slow', since: start.toISOString(), providerCode: null } as const;
    expect(progressOf(sending({ hold }), facts({ sent: 20 }), later(10))).toMatchObject({
      ...none,
      ...{ paused: true, reason: 'store_slow' },
    });
  });

  it('has the rate since it went on after an interruption, and the end at that rate', () => {
    const at = later(60).toISOString();
    const resumed = sending({ updatedAt: at, measured: { at, done: 20 } });
    const known = facts({ sent: 40 }, { movedAt: later(69).getTime() });
    expect(progressOf(resumed, known, later(70))).toMatchObject({ reason: null, rate: 2, estimatedEnd: later(100) });
    expect(progressOf(resumed, facts({ sent: 20 }, { movedAt: later(60).getTime() }), later(70)).rate).toBeNull();
    const paused = { ...resumed, updatedAt: later(65).toISOString() };
    expect(progressOf(paused, known, later(70)).rate).toBeNull();
  });

  it('of an A/B test has no end until it is decided, and says that it waits for the decision', () => {
    const testing = sending({ test: undecided });
    expect(progressOf(testing, facts({ sent: 20 }), later(10))).toMatchObject({ reason: null, estimatedEnd: null });
    const decideAt = later(14_400).toISOString();
    const waiting = sending({ test: { ...undecided, decideAt }, updatedAt: later(12).toISOString() });
    expect(progressOf(waiting, facts({ sent: 30 }), later(3600))).toMatchObject({
      ...{ reason: 'ab_test', rate: null, estimatedEnd: null, waiting: 70 },
    });
    const decided = sending({ test: { ...undecided, decideAt, winner: 1 }, updatedAt: later(14_400).toISOString() });
    expect(reasonAt(14_405, decided, facts({ sent: 30 }))).toBeNull();
  });

  it('says that the outcome of some calls is unknown once nobody else is to be written to', () => {
    expect(reasonAt(11, sending(), facts({ sent: 60, uncertain: 40 }))).toBe('outcome_unknown');
    expect(reasonAt(11, sending(), facts({ sent: 50, uncertain: 40 }))).toBeNull();
    expect(reasonAt(11, sending({ test: undecided }), facts({ sent: 20, uncertain: 10 }))).toBe('outcome_unknown');
  });

  it('says that a worker was lost when nothing has moved for longer than a call takes', () => {
    const known = facts({ sent: 20 });
    expect(reasonAt(25, sending(), known)).toBeNull();
    expect(reasonAt(31, sending(), known)).toBe('worker_lost');
    expect(reasonAt(31, sending({ updatedAt: later(29).toISOString() }), known)).toBeNull();
    expect(reasonAt(31, sending(), facts({ sent: 100 }))).toBe('worker_lost');
  });

  it('says that the pace keeps it back when the account’s rate is promised to others', () => {
    const known = facts({ sent: 20 }, { promisedUntil: later(33).getTime() });
    expect(reasonAt(31, sending(), known)).toBe('provider_pace');
    expect(reasonAt(34, sending(), known)).toBe('worker_lost');
  });

  it('has no reason once it was sent', () => {
    expect(reasonAt(9999, sending({ status: 'sent' }), facts({ sent: 90, uncertain: 10 }))).toBeNull();
  });
});
