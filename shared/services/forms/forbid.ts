import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { setOrigins } from './setOrigins.ts';
import type { ShownForm } from './shown.ts';

/** No longer lets the pages of an origin, written as it was allowed, show the form in a frame. */
export const forbidFormOrigin = operatorVerb(
  { action: 'form.forbid', needs: 'change', subject: ({ origin }) => origin },
  async (context: Context, { origin }: { readonly origin: string }): Promise<ShownForm> => {
    const workspace = await existingWorkspace(context.workspaceId);
    return setOrigins(
      workspace,
      workspace.formOrigins.filter((allowed) => allowed !== origin),
    );
  },
);
