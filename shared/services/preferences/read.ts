import { isId } from '../../domain/token/identifier.ts';
import { addLogFields } from '../../platform/logContext.ts';
import { findLeaver } from '../../store/person/leaveLinks.ts';
import { readLink } from '../links.ts';

/** Who holds a link to leave, and where they stand in the campaign that brought it, if one did. */
export interface Leaver {
  readonly workspaceId: string;
  readonly email: string;
  readonly campaignId?: string | undefined;
  readonly place?: { readonly chunk: number; readonly position: number } | undefined;
}

/** Reads what `/unsubscribe/` is followed by: a person's own link, or a signed one of a campaign. Null for neither. */
export async function readLeaver(token: string, now: Date): Promise<Leaver | null> {
  const [linkId = '', workspaceId = '', ...rest] = token.split('.');
  // A signature is longer than an id.
  if (rest.length === 0 && isId('ws', workspaceId)) {
    const email = await findLeaver(workspaceId, linkId);
    if (email !== null) addLogFields({ workspace_id: workspaceId });
    return email === null ? null : { workspaceId, email };
  }
  const read = await readLink('unsubscribe', token, now);
  return read.ok ? read.link : null;
}
