import { ServiceError } from '../../contract/errors.ts';
import type { MailKind } from '../../domain/workspace/workspace.ts';
import { updateSettings } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from '../workspaces/existing.ts';

/** Offers a kind no longer: its mail goes to everybody again who has not left the workspace; their choice is kept. */
export const removeKind = operatorVerb(
  { action: 'kind.remove', needs: 'change', subject: ({ tag }) => tag },
  async (context: Context, { tag }: Pick<MailKind, 'tag'>): Promise<readonly MailKind[]> => {
    const { id, kinds } = await existingWorkspace(context.workspaceId);
    const changed = kinds.filter((kind) => kind.tag !== tag);
    if (changed.length === kinds.length) throw new ServiceError('not_found');
    await updateSettings(id, { kinds: changed });
    return changed;
  },
);
