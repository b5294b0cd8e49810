import { textsOf } from '../../../language/text.ts';
import type { DefinitionProblem } from './graph.ts';

type TagById = Pick<ReadonlyMap<string, string>, 'get'>;

/** What a definition may name by another form than ours: ids of topics, and of segments that are a tag alone. */
export interface NamedElsewhere {
  readonly tagOfTopic: TagById;
  readonly tagOfSegment: TagById;
}

const texts = textsOf({
  topic: { en: 'is not the id of a topic of this workspace', fr: 'n’est pas l’identifiant d’un type de cet espace' },
  topicAndTag: {
    en: 'and "tag" are both given: use one of them',
    fr: 'et « tag » sont donnés tous les deux : utilisez l’un des deux',
  },
  segment: {
    en: 'must be a segment of a single tag: people enter others by what is known of them',
    fr: 'doit être un segment d’une seule étiquette : on entre dans les autres par ce qui est connu de la personne',
  },
  contactDelete: {
    en: 'is not possible: no automation deletes people',
    fr: 'n’est pas possible : aucune automatisation ne supprime des personnes',
  },
  unsubscribed: {
    en: 'is not possible: people unsubscribe themselves',
    fr: 'n’est pas possible : les personnes se désabonnent elles-mêmes',
  },
});

type Given = Readonly<Record<string, unknown>>;

export const isGivenObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface Converted {
  readonly value: unknown;
  readonly problems: readonly DefinitionProblem[];
}

const asIs = (value: unknown): Converted => ({ value, problems: [] });

/** An object in which `topic_id` is replaced by the tag of the topic. */
export function withTopicTag(
  { topic_id, ...rest }: Given,
  { tagOfTopic }: NamedElsewhere,
  path: DefinitionProblem['path'],
): { readonly value: Given; readonly problems: readonly DefinitionProblem[] } {
  if (topic_id === undefined) return { value: rest, problems: [] };
  const at = [...path, 'topic_id'];
  const isNone = topic_id === null;
  if (rest.tag !== undefined && rest.tag !== null && !isNone) {
    return { value: rest, problems: [{ path: at, text: texts.topicAndTag }] };
  }
  if (isNone) return { value: { tag: null, ...rest }, problems: [] };
  const tag = tagOfTopic.get(String(topic_id));
  return tag === undefined
    ? { value: rest, problems: [{ path: at, text: texts.topic }] }
    : { value: { ...rest, tag }, problems: [] };
}

/** A step as our form has it. */
export function ourStep(step: unknown, elsewhere: NamedElsewhere, path: DefinitionProblem['path']): Converted {
  if (!isGivenObject(step)) return asIs(step);
  const config = isGivenObject(step.config) ? step.config : {};
  const at = [...path, 'config'];
  switch (step.type) {
    case 'send_email': {
      const { value, problems } = withTopicTag(config, elsewhere, at);
      return { value: isGivenObject(step.config) ? { ...step, config: value } : step, problems };
    }
    case 'contact_update': {
      const { first_name, last_name, properties, unsubscribed, ...rest } = config;
      const names = {
        ...(first_name !== undefined && { firstName: first_name }),
        ...(last_name !== undefined && { lastName: last_name }),
        ...(properties !== undefined && properties !== null && { fields: properties }),
      };
      const isLeaving = unsubscribed !== undefined && unsubscribed !== null;
      return {
        value: { ...step, type: 'subscriber_update', config: { ...rest, ...names } },
        problems: isLeaving ? [{ path: [...at, 'unsubscribed'], text: texts.unsubscribed }] : [],
      };
    }
    case 'add_to_segment': {
      const tag = elsewhere.tagOfSegment.get(String(config.segment_id));
      const value = { ...step, type: 'subscriber_update', config: { add_tags: [tag ?? 'tag'] } };
      return { value, problems: tag === undefined ? [{ path: [...at, 'segment_id'], text: texts.segment }] : [] };
    }
    case 'contact_delete':
      return {
        value: { ...step, type: 'exit', config: {} },
        problems: [{ path: [...path, 'type'], text: texts.contactDelete }],
      };
    default:
      return asIs(step);
  }
}
