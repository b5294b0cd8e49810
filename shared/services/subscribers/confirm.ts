/**
 * `refused`: the request behind the link was taken back or replaced, or the address bounced or complained since.
 * `unknown`: the link is genuine and the workspace or the person is gone.
 */
export type ConfirmOutcome = 'confirmed' | 'already_confirmed' | 'expired' | 'tampered' | 'unknown' | 'refused';

/** `workspaceId` is known unless the link was tampered with: the page names the workspace and offers its form. */
export interface ConfirmResult {
  readonly outcome: ConfirmOutcome;
  readonly workspaceId: string | null;
  readonly email: string | null;
}

/** What the button of the confirmation page does. */
export async function confirmSubscriber(_token: string, _now: Date): Promise<ConfirmResult> {
  throw new Error('Not written yet.');
}

/** What the page shows before the button is pressed: the outcome that pressing it would have now. Changes nothing. */
export async function previewConfirmation(_token: string, _now: Date): Promise<ConfirmResult> {
  throw new Error('Not written yet.');
}
