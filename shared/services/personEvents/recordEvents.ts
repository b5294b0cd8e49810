import { ServiceError, ValidationError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type { recordEventRoute, recordEventsRoute, sendEventRoute } from '../../contract/routes/events.ts';
import { canonicalAddress } from '../../domain/address.ts';
import { hashBody } from '../../domain/encoding.ts';
import { createId } from '../../domain/identifier.ts';
import { isReportable, type PersonEvent, personEventLimits } from '../../domain/personEvents/personEvent.ts';
import { textsOf } from '../../language/text.ts';
import { now as currentTime, epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { config } from '../../platform/config.ts';
import { ContentionError, overtaken, untilSettled } from '../../platform/deadline.ts';
import { inParallel } from '../../platform/parallel.ts';
import type { KnownEvent } from '../../store/personEvents/personEventRecord.ts';
import { type EventMark, putPersonEvent, readBeforeEvent } from '../../store/personEvents/personEvents.ts';
import type { Context } from '../context.ts';
import { operatorVerb, personSubject } from '../operatorVerb.ts';
import { listenersOf } from './internal/listeners.ts';

export type EventAnswer = Output<typeof recordEventRoute>;
type GivenEvent = Input<typeof recordEventsRoute>['entries'][number] extends infer Each
  ? Extract<Each, { readonly value: unknown }>['value']
  : never;

/** Records what a subscriber did. An unknown address is no error: nothing is stored, and nobody is created. */
export const recordEvent = /* @__PURE__ */ operatorVerb(
  { action: 'event.record', needs: 'change', subject: ({ email }) => personSubject(email), byKeys: 'unaudited' },
  async (context: Context, { idempotencyKey, ...given }: Input<typeof recordEventRoute>): Promise<EventAnswer> => {
    requireTimes([given], context.now, () => '');
    return record(context, given, keyOf(idempotencyKey, 0));
  },
);

/** The same in the words of the resend client. */
export const sendEvent = /* @__PURE__ */ operatorVerb(
  {
    action: 'event.record',
    needs: 'change',
    subject: ({ email, contact_id }) => personSubject(email ?? contact_id ?? ''),
    byKeys: 'unaudited',
  },
  async (
    context: Context,
    { idempotencyKey, event, email, contact_id, payload }: Input<typeof sendEventRoute>,
  ): Promise<Output<typeof sendEventRoute>> => {
    const given = { name: event, email: email ?? contact_id ?? '', data: payload };
    return { ...(await record(context, given, keyOf(idempotencyKey, 0))), event };
  },
);

/** Events of different people are recorded at once, those of one person in their order. */
const peopleAtOnce = 8;

/**
 * Records up to 100 events, each whole or not at all. One that fails ends the call, and others may have been recorded: under
 * the same Idempotency-Key, or with their `external_id`, a repeated call records them no second time.
 */
export const recordEvents = /* @__PURE__ */ operatorVerb(
  { action: 'event.record', needs: 'change', byKeys: 'unaudited' },
  async (
    context: Context,
    { idempotencyKey, entries }: Input<typeof recordEventsRoute>,
  ): Promise<Output<typeof recordEventsRoute>> => {
    const given = entries.flatMap((entry) => (entry.issues ? [] : entry.value));
    requireTimes(given, context.now, (index) => `[${index}].`);
    const data: EventAnswer[] = [];
    const byPerson = Map.groupBy(given.keys(), (index) => addressOf(given[index]));
    await inParallel(peopleAtOnce, [...byPerson.values()], async (indexes) => {
      for (const index of indexes) {
        const one = given[index];
        if (one) data[index] = await record(context, one, keyOf(idempotencyKey, index));
      }
    });
    return { object: 'batch', data };
  },
);

function addressOf(given: { readonly email: string } | undefined): string {
  const email = canonicalAddress(given?.email ?? '');
  if (!email) throw new Error('A validated address did not parse.');
  return email;
}

const texts = textsOf({
  time: {
    en: `must be at most ${personEventLimits.minutesAhead} minutes ahead and ${personEventLimits.daysBack} days back`,
    fr: `doit être au plus ${personEventLimits.minutesAhead} minutes dans le futur et ${personEventLimits.daysBack} jours dans le passé`,
  },
  busy: {
    en: 'Too many events of this person are being recorded at the same time; try again.',
    fr: 'Trop d’événements de cette personne sont enregistrés en même temps ; réessayez.',
  },
});

function requireTimes(given: readonly GivenEvent[], now: Date, pathOf: (index: number) => string): void {
  const issues = given.flatMap(({ timestamp }, index) =>
    timestamp !== undefined && !isReportable(new Date(timestamp), now)
      ? { path: `${pathOf(index)}timestamp`, text: texts.time }
      : [],
  );
  if (issues.length > 0) throw new ValidationError(issues);
}

/** What an Idempotency-Key stands for at one place of a call. */
interface PlaceOfKey {
  readonly key: string;
  readonly index: number;
}
const keyOf = (key: string | undefined, index: number): PlaceOfKey | null =>
  key === undefined ? null : { key, index };

/**
 * An `external_id` counts as long as its event is kept. Without one, an Idempotency-Key does so for a day: a call that
 * crashed between two events is repeated, and those events have no other name.
 */
function markOf(given: GivenEvent, place: PlaceOfKey | null, keptUntil: number, now: Date): EventMark | null {
  const { external_id: id } = given;
  if (id !== undefined) return { hash: hashBody({ id }), expiresAt: keptUntil };
  return place && { hash: hashBody({ ...place, given }), expiresAt: epochSeconds(now) + secondsInDay };
}

async function record(context: Context, given: GivenEvent, place: PlaceOfKey | null): Promise<EventAnswer> {
  const { workspaceId } = context;
  const { name, data = {} } = given;
  const email = addressOf(given);
  const attempt = async (): Promise<EventAnswer | typeof overtaken> => {
    // Anew in each attempt: a run that waits for an event reads those of the last seconds.
    const now = currentTime();
    const createdAt = now.toISOString();
    const expiresAt = epochSeconds(now) + config('EVENT_RETENTION_DAYS') * secondsInDay;
    const mark = markOf(given, place, expiresAt, now);
    const timestamp = given.timestamp === undefined ? createdAt : new Date(given.timestamp).toISOString();
    // Together, they are one read.
    const [before, listeners] = await Promise.all([
      readBeforeEvent({ workspaceId, email, name }, mark, now),
      listenersOf(workspaceId, name),
    ]);
    if (!before.isSubscriber) return unknownSubscriber(name, email, timestamp);
    if (before.recorded) return shown(before.recorded, email, true);
    const event: PersonEvent = {
      ...{ workspaceId, email, id: createId('event', now), name, data, timestamp, createdAt, expiresAt },
      externalId: given.external_id ?? null,
    };
    const written = await putPersonEvent(event, before, mark, now, listeners?.partsFor(event));
    if (written === false) return overtaken;
    if (written !== true) return shown(written, email, true);
    await listeners?.announce(event);
    return shown(event, email, false);
  };
  return untilSettled(attempt).catch((error: unknown) => {
    if (!(error instanceof ContentionError)) throw error;
    throw new ServiceError('conflict', { text: texts.busy, retryAfterSeconds: 1 });
  });
}

const shown = ({ id, name, timestamp, createdAt }: KnownEvent, email: string, replayed: boolean): EventAnswer => ({
  ...{ object: 'event', id, name, email, recorded: true, reason: null, replayed, timestamp, created_at: createdAt },
});

const unknownSubscriber = (name: string, email: string, timestamp: string): EventAnswer => ({
  ...{ object: 'event', id: null, name, email, recorded: false, reason: 'unknown_subscriber', replayed: false },
  ...{ timestamp, created_at: null },
});
