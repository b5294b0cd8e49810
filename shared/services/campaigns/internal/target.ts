import { type Issue, ServiceError } from '../../../contract/errors.ts';
import { notFound } from '../../../contract/notFound.ts';
import type { Campaign } from '../../../domain/campaign/campaign.ts';
import { isId } from '../../../domain/identifier.ts';
import type { Segment } from '../../../domain/segment/segment.ts';
import { topicId } from '../../../domain/workspace/topic.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import type { Text } from '../../../language/text.ts';
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

interface NamedTopic {
  readonly tag?: string | null | undefined;
  readonly topic_id?: string | null | undefined;
}

interface ReadTopic {
  /** Null for none; undefined when the request says nothing of it. */
  readonly tag: string | null | undefined;
  readonly issues: readonly Issue[];
  /** For an id that no topic of the workspace has. */
  readonly missing: ServiceError | null;
}

/** The topic that a request names by its tag, by its id, or by both if they agree. */
export function readTopic({ id, kinds }: Pick<Workspace, 'id' | 'kinds'>, { tag, topic_id }: NamedTopic): ReadTopic {
  const issues: Issue[] = [];
  if (typeof tag === 'string' && !kinds.some((kind) => kind.tag === tag)) issues.push(unknownTag(kinds));
  if (topic_id === undefined) return { tag, issues, missing: null };
  const named = topic_id === null ? null : kinds.find((kind) => topicId(id, kind.tag) === topic_id)?.tag;
  if (named === undefined) return { tag, issues, missing: notFound('topic') };
  if (tag !== undefined && tag !== named && issues.length === 0) issues.push({ path: 'topic_id', text: otherTopic });
  return { tag: named, issues, missing: null };
}

function unknownTag(kinds: Workspace['kinds']): Issue {
  const offered = kinds.map((kind) => `"${kind.tag}"`).join(', ');
  const text = {
    en: `is not a topic of this workspace (${offered || 'there are none'})`,
    fr: `n’est pas un type d’e-mail de cet espace (${offered || 'il n’y en a pas'})`,
  };
  return { path: 'tag', text };
}

const otherTopic: Text = {
  en: 'is not the topic of "tag": give one of the two',
  fr: 'n’est pas le type d’e-mail de « tag » : donnez l’un des deux',
};

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
