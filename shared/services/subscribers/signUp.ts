import type { Issue } from '../../contract/errors.ts';

export interface SignUp {
  readonly workspaceId: string;
  readonly email: string;
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  /** Network address that the form came from. */
  readonly source: string;
}

/**
 * None of these depends on whether the address is known. `unavailable`: the workspace cannot send a confirmation.
 * `issues` have the paths `email`, `firstName`, `lastName`.
 */
export type SignUpResult =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'invalid'; readonly issues: readonly Issue[] }
  | { readonly outcome: 'too_many'; readonly retryAfterSeconds: number }
  | { readonly outcome: 'unavailable' };

/** What the public form does: counts, then queues; the worker looks at who it is, so that nobody can learn it here. */
export async function signUp(_request: SignUp, _now: Date): Promise<SignUpResult> {
  throw new Error('Not written yet.');
}
