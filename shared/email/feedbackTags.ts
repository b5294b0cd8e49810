/** Where an SES event belongs: the tags travel with the message, so that feedback needs no look-up table. */
export interface FeedbackOrigin {
  readonly workspaceId: string;
  readonly emailId: string;
  readonly envelope: number;
}

const names = { workspaceId: 'mailroom_workspace', emailId: 'mailroom_email', envelope: 'mailroom_envelope' } as const;

/** The service's tags and the caller's; a caller's tag that bears one of our names stays in the record only. */
export function feedbackTags(
  origin: FeedbackOrigin,
  own: readonly { readonly name: string; readonly value: string }[],
): { name: string; value: string }[] {
  const reserved: readonly string[] = Object.values(names);
  return [
    { name: names.workspaceId, value: origin.workspaceId },
    { name: names.emailId, value: origin.emailId },
    { name: names.envelope, value: String(origin.envelope) },
    ...own.filter(({ name }) => !reserved.includes(name)),
  ];
}

/** The caller's tags of an event's `mail.tags`: without the service's own and those that SES adds (`ses:…`). */
export function ownTags(
  tags: Readonly<Record<string, readonly string[]>> | undefined,
): { name: string; value: string }[] {
  const reserved: readonly string[] = Object.values(names);
  return Object.entries(tags ?? {})
    .filter(([name]) => !reserved.includes(name) && !name.startsWith('ses:'))
    .map(([name, [value = '']]) => ({ name, value }));
}

/** The origin of an event's `mail.tags`, null for mail that this service did not send. */
export function feedbackOrigin(tags: Readonly<Record<string, readonly string[]>> | undefined): FeedbackOrigin | null {
  const workspaceId = tags?.[names.workspaceId]?.[0];
  const emailId = tags?.[names.emailId]?.[0];
  if (!workspaceId || !emailId) return null;
  return { workspaceId, emailId, envelope: Number(tags?.[names.envelope]?.[0] ?? 0) };
}
