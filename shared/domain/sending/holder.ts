import { isId } from '../token/identifier.ts';

/** What mail is sent for: its quota, its feedback and its events belong to it. */
export const holderKinds = ['email', 'campaign'] as const;
export type HolderKind = (typeof holderKinds)[number];

export interface Holder {
  readonly kind: HolderKind;
  readonly id: string;
}

/** The holder that an id names; null for one that this release does not know. */
export function holderOf(id: string): Holder | null {
  if (isId('email', id)) return { kind: 'email', id };
  if (isId('camp', id)) return { kind: 'campaign', id };
  return null;
}
