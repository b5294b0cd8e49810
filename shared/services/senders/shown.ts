import type { Sender } from '../../store/workspace/workspaces.ts';

/** A sender as the operator sees it. */
export function shownSender({ email, name, default: isDefault }: Sender) {
  return { object: 'sender' as const, email, name, default: isDefault };
}

export type ShownSender = ReturnType<typeof shownSender>;
