import type { Sender, Workspace } from '../../domain/workspace/workspace.ts';

/** Who the service's own mail to subscribers comes from, null when the operator has named nobody. */
export function defaultSender({ senders }: Pick<Workspace, 'senders'>): Sender | null {
  return senders.find((sender) => sender.default) ?? null;
}
