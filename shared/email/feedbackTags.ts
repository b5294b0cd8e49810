import type { Holder } from '../domain/sending/holder.ts';
import type { Minute } from '../domain/sending/minute.ts';

/**
 * An envelope of a single email, and the attempt at it: by the minute that it reserved in, null before there were any; of
 * an email of a batch, by the sheet of that minute that lists it as well.
 */
export interface EmailOrigin extends Holder {
  readonly kind: 'email';
  readonly workspaceId: string;
  readonly envelope: number;
  readonly minute: Minute | null;
  readonly sheet?: string | undefined;
}

/** A position of a campaign's frozen list, and the call that wrote to it. */
export interface CampaignOrigin extends Holder {
  readonly kind: 'campaign';
  readonly workspaceId: string;
  readonly chunk: number;
  readonly position: number;
  readonly attempt: string;
}

/** A message to the provider's simulator that a campaign asked for its events' sake: they tell how far words have come in. */
export interface ProbeOrigin {
  readonly kind: 'probe';
  /** The campaign. */
  readonly id: string;
  readonly workspaceId: string;
}

/** Where a message belongs: its tags travel with it, so that feedback needs no look-up table. */
export type FeedbackOrigin = EmailOrigin | CampaignOrigin | ProbeOrigin;

interface Tag {
  readonly name: string;
  readonly value: string;
}
type EventTags = Readonly<Record<string, readonly string[]>>;

/** Messages that are on their way bear these names: they can be added to, and not changed. */
const names = {
  workspaceId: 'mailroom_workspace',
  email: 'mailroom_email',
  envelope: 'mailroom_envelope',
  minute: 'mailroom_minute',
  sheet: 'mailroom_sheet',
  campaign: 'mailroom_campaign',
  chunk: 'mailroom_chunk',
  position: 'mailroom_position',
  attempt: 'mailroom_attempt',
  probe: 'mailroom_probe',
} as const;
const reserved: ReadonlySet<string> = new Set(Object.values(names));

/** The service's tags and the caller's; a caller's tag that bears a name of ours stays in the record only. */
export function feedbackTags(origin: FeedbackOrigin, own: readonly Tag[]): Tag[] {
  const { kind, id, workspaceId, ...place } = origin;
  const placed = Object.entries(place).filter(([, value]) => value !== null && value !== undefined) as [
    keyof typeof names,
    string | number,
  ][];
  return [
    { name: names.workspaceId, value: workspaceId },
    { name: names[kind], value: id },
    ...placed.map(([field, value]) => ({ name: names[field], value: String(value) })),
    ...own.filter(({ name }) => !reserved.has(name)),
  ];
}

/** The caller's tags of an event's `mail.tags`: without the service's own and those that SES adds (`ses:…`). */
export function ownTags(tags: EventTags | undefined): Tag[] {
  return Object.entries(tags ?? {})
    .filter(([name]) => !reserved.has(name) && !name.startsWith('ses:'))
    .map(([name, [value = '']]) => ({ name, value }));
}

/**
 * The origin of an event's `mail.tags`, null for mail that this service did not send. Throws for mail of ours whose
 * holder it does not know (a later release sent it): such an event waits in the dead-letter queue, it is not lost.
 */
export function feedbackOrigin(tags: EventTags | undefined): FeedbackOrigin | null {
  const text = (field: keyof typeof names) => tags?.[names[field]]?.[0] ?? '';
  const workspaceId = text('workspaceId');
  if (!workspaceId) return null;
  if (text('email')) {
    const minute = text('minute') ? Number(text('minute')) : null;
    const sheet = text('sheet') || undefined;
    return { kind: 'email', id: text('email'), workspaceId, envelope: Number(text('envelope')), minute, sheet };
  }
  if (text('campaign')) {
    return {
      kind: 'campaign',
      id: text('campaign'),
      workspaceId,
      chunk: Number(text('chunk')),
      position: Number(text('position')),
      attempt: text('attempt'),
    };
  }
  if (text('probe')) return { kind: 'probe', id: text('probe'), workspaceId };
  throw new Error('A message of this service says neither which email nor which campaign it belongs to.');
}
