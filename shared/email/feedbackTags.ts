import type { Holder, Minute } from '../domain/sending/settlement.ts';

/** `sent`: a webhook may want to know that SES took the message. Without it the Send event has no webhook to look for. */
type Reports = 'sent';

/**
 * An envelope of an email and the attempt that sent it, identified by its settlement bucket and, for an email of a
 * batch, by its list of attempts.
 */
export interface EmailOrigin extends Holder {
  readonly kind: 'email';
  readonly workspaceId: string;
  readonly envelope: number;
  readonly minute: Minute;
  readonly list?: string | undefined;
  readonly reports?: Reports | undefined;
  /** `service`: mail of the service's own, such as a confirmation; its outcomes are counted apart. */
  readonly purpose?: 'service' | undefined;
  /** For an email that is copied to the bucket: until when it is in the table, in Unix seconds. */
  readonly until?: number | undefined;
  /** Of an automation's message: which, and the run and the step that sent it. */
  readonly automation?: string | undefined;
  readonly run?: string | undefined;
  readonly step?: string | undefined;
}

/** Which run of an automation sent a message, and at which step. */
export interface RunOrigin {
  readonly automation: string;
  readonly run: string;
  /** `placeOfStep`. */
  readonly step: string;
}

/** The version of an automation and the place of a step in it, as a tag can have them. */
export const placeOfStep = (version: number, step: number): string => `${version}-${step}`;

/** The run in the origin of a message; null for other mail. */
export function runOfOrigin({ automation, run, step: place }: EmailOrigin) {
  const [version, step] = (place ?? '').split('-').map(Number);
  if (automation === undefined || run === undefined || version === undefined || step === undefined) return null;
  return { automationId: automation, runId: run, version, step };
}

/** A recipient of a campaign, by position in its frozen list, and the call that sent the message. */
export interface CampaignOrigin extends Holder {
  readonly kind: 'campaign';
  readonly workspaceId: string;
  readonly chunk: number;
  readonly position: number;
  readonly attempt: string;
  readonly reports?: Reports | undefined;
}

/** A campaign's message to the SES mailbox simulator, whose events show how far the events of earlier messages have come. */
export interface ProbeOrigin {
  readonly kind: 'probe';
  /** The campaign. */
  readonly id: string;
  readonly workspaceId: string;
}

/** What a message belongs to. It is in the tags of the message, so that feedback needs no lookup. */
export type FeedbackOrigin = EmailOrigin | CampaignOrigin | ProbeOrigin;

interface Tag {
  readonly name: string;
  readonly value: string;
}
type EventTags = Readonly<Record<string, readonly string[]>>;

/** Sent messages carry these names, so they must not change. */
const names = {
  workspaceId: 'mailroom_workspace',
  email: 'mailroom_email',
  envelope: 'mailroom_envelope',
  minute: 'mailroom_minute',
  list: 'mailroom_list',
  purpose: 'mailroom_purpose',
  reports: 'mailroom_reports',
  until: 'mailroom_until',
  campaign: 'mailroom_campaign',
  chunk: 'mailroom_chunk',
  position: 'mailroom_position',
  attempt: 'mailroom_attempt',
  probe: 'mailroom_probe',
  automation: 'mailroom_automation',
  run: 'mailroom_run',
  step: 'mailroom_step',
} as const;
const reserved: ReadonlySet<string> = new Set(Object.values(names));

/** The service's tags and the caller's. A caller's tag with one of our names is only stored, not sent. */
export function feedbackTags(origin: FeedbackOrigin, own: readonly Tag[]): Tag[] {
  const { kind, id, workspaceId, ...place } = origin;
  const placed = Object.entries(place).filter(([, value]) => value !== undefined) as [
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

/** The caller's tags among an event's `mail.tags`: without ours and without those of SES (`ses:…`). */
export function ownTags(tags: EventTags | undefined): Tag[] {
  return Object.entries(tags ?? {})
    .filter(([name]) => !reserved.has(name) && !name.startsWith('ses:'))
    .map(([name, [value = '']]) => ({ name, value }));
}

/**
 * The origin in an event's `mail.tags`; null for mail of another service. Throws for an unknown kind of origin, which a
 * later release has sent: such an event waits in the dead-letter queue.
 */
export function feedbackOrigin(tags: EventTags | undefined): FeedbackOrigin | null {
  const text = (field: keyof typeof names) => tags?.[names[field]]?.[0] ?? '';
  const workspaceId = text('workspaceId');
  if (!workspaceId) return null;
  if (text('email')) {
    return {
      kind: 'email',
      id: text('email'),
      workspaceId,
      envelope: Number(text('envelope')),
      minute: Number(text('minute')),
      list: text('list') || undefined,
      reports: reports(text('reports')),
      purpose: text('purpose') === 'service' ? 'service' : undefined,
      until: Number(text('until')) || undefined,
      automation: text('automation') || undefined,
      run: text('run') || undefined,
      step: text('step') || undefined,
    };
  }
  if (text('campaign')) {
    return {
      kind: 'campaign',
      id: text('campaign'),
      workspaceId,
      chunk: Number(text('chunk')),
      position: Number(text('position')),
      attempt: text('attempt'),
      reports: reports(text('reports')),
    };
  }
  if (text('probe')) return { kind: 'probe', id: text('probe'), workspaceId };
  throw new Error('The tags of a message name no email, campaign or probe.');
}

const reports = (text: string): Reports | undefined => (text === 'sent' ? text : undefined);
