/** `unknown`: the link is genuine and its workspace is gone. */
export type UnsubscribeOutcome = 'unsubscribed' | 'tampered' | 'unknown';

export interface UnsubscribeResult {
  readonly outcome: UnsubscribeOutcome;
  readonly workspaceId: string | null;
  readonly email: string | null;
}

/** One-click (RFC 8058) and the page's button alike: at once, and again without harm. */
export async function unsubscribeByLink(_token: string, _now: Date): Promise<UnsubscribeResult> {
  throw new Error('Not written yet.');
}
