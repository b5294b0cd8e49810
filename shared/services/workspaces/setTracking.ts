import { updateSettings } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from './existing.ts';

/** Switches what SES tells of mail that is sent from now on; what is left out stays as it is. */
export const setTracking = operatorVerb(
  { action: 'tracking.set', needs: 'change' },
  async (context: Context, wanted: { readonly opens?: boolean | undefined; readonly clicks?: boolean | undefined }) => {
    const { id, trackOpens, trackClicks } = await existingWorkspace(context.workspaceId);
    const { opens = trackOpens, clicks = trackClicks } = wanted;
    await updateSettings(id, { trackOpens: opens, trackClicks: clicks });
    return { object: 'tracking' as const, workspace_id: id, opens, clicks };
  },
);
