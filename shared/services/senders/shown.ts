import type { Sender } from '../../domain/workspace/workspace.ts';

/** A sender as the operator sees it. */
export function shownSender({ email, name, default: isDefault }: Sender) {
  return { object: 'sender' as const, email, name, default: isDefault };
}

export type ShownSender = ReturnType<typeof shownSender>;
