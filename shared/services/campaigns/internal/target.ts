import { ServiceError } from '../../../contract/errors.ts';
import type { Campaign } from '../../../domain/campaign/campaign.ts';
import { isId } from '../../../domain/identifier.ts';
import type { Segment } from '../../../domain/segment/segment.ts';
import { topicId } from '../../../domain/workspace/topic.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import { getSegment } from '../../../store/workspace/segments.ts';
import { getWorkspace } from '../../../store/workspace/workspaces.ts';
import { segmentWithId } from '../../segments.ts';

type Aimed = Pick<Campaign, 'workspaceId' | 'segmentId' | 'tag'>;

/** The segment that a campaign targets; null for the whole list. Throws `not_found` for one that was deleted. */
export async function segmentOf({ workspaceId, segmentId }: Aimed): Promise<Segment | null> {
  if (segmentId === null) return null;
  // Drafts of earlier releases may contain a name, which after a rename may belong to another segment.
  if (!isId('seg', segmentId)) throw namedSegment(segmentId);
  return segmentWithId(workspaceId, segmentId);
}

const namedSegment = (name: string) =>
  new ServiceError('validation_error', {
    text: {
      en: `This campaign contains the name of a segment, "${name}", and not its id, so that it is not certain which segment is meant: choose the segment again in the editor.`,
      fr: `Cette campagne contient le nom d’un segment, « ${name} », et non son identifiant : on ne sait pas avec certitude quel segment est visé. Choisissez-le de nouveau dans l’éditeur.`,
    },
    details: { reason: 'segment_by_name' },
  });

/** The tag of the campaign's topic, if the workspace still offers to leave that topic. */
export const offeredTag = ({ kinds }: Pick<Workspace, 'kinds'>, tag: string | null | undefined): string | null =>
  kinds.find((kind) => kind.tag === tag)?.tag ?? null;

/** The target of a campaign in a response. A deleted segment has no name. */
export function shownTarget(
  { id, kinds }: Pick<Workspace, 'id' | 'kinds'>,
  segment: Pick<Segment, 'id' | 'name'> | { readonly id: string; readonly name: null } | null,
  tag: string | null | undefined,
) {
  const topic = kinds.find((kind) => kind.tag === tag);
  return {
    segment: segment && { id: segment.id, name: segment.name },
    topic: topic ? { id: topicId(id, topic.tag), name: topic.name } : null,
  };
}

/** The same for a campaign that cannot be sent: its target is shown whatever else is wrong. */
export async function targetOfCampaign({ workspaceId, segmentId, tag }: Aimed) {
  const [workspace, segment] = await Promise.all([
    getWorkspace(workspaceId),
    segmentId !== null && isId('seg', segmentId) ? getSegment(workspaceId, segmentId) : null,
  ]);
  if (!workspace) throw new ServiceError('internal_error');
  return shownTarget(workspace, segmentId === null ? null : (segment ?? { id: segmentId, name: null }), tag);
}
