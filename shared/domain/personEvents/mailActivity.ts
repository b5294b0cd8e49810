/** What is noted of mail and its reader, for rules to ask about. */
export const mailActions = ['sent', 'opened', 'clicked'] as const;
export type MailAction = (typeof mailActions)[number];

/** Mail that a workspace sent to a person, or what they did with it. Relays and robots are no readers. */
export interface MailMark {
  readonly workspaceId: string;
  /** Canonical form. */
  readonly email: string;
  readonly action: MailAction;
  readonly at: Date;
}

const prefix = 'email.';

/** The name of its activity. Callers cannot record events of this name, since the prefix is reserved. */
export const mailActivityName = (action: MailAction): string => `${prefix}${action}`;

/** The action that an activity is about; null for events of an application. */
export const mailActionOf = (name: string): MailAction | null =>
  mailActions.find((action) => mailActivityName(action) === name) ?? null;
