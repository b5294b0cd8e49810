/** In the order of their rank: feedback comes late, twice and in disorder, so a status only ever moves to the right. */
export const emailStatuses = ['sent', 'delivered', 'bounced', 'complained'] as const;

export type EmailStatus = (typeof emailStatuses)[number];

export function statusRank(status: EmailStatus): number {
  return emailStatuses.indexOf(status);
}

/** True when `next` may replace `current`. */
export function outranks(next: EmailStatus, current: EmailStatus): boolean {
  return statusRank(next) > statusRank(current);
}

/** The status of a message with several recipients; `sent` for none. */
export function worstStatus(statuses: readonly EmailStatus[]): EmailStatus {
  return statuses.reduce((worst, status) => (outranks(status, worst) ? status : worst), 'sent');
}
