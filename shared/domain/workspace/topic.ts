import { derivedId } from '../identifier.ts';

/** A topic: all mail with a tag (`name:value`), under a name for people. */
export interface Topic {
  readonly tag: string;
  readonly name: string;
  /** For people, on the page of their preferences. */
  readonly description?: string | undefined;
  /** ISO 8601 UTC; absent in topics of earlier releases. */
  readonly createdAt?: string | undefined;
}

/** The id of the topic with this tag. It is not stored: the tag is, and a topic keeps both. */
export const topicId = (workspaceId: string, tag: string): string => derivedId('top', `${workspaceId}#${tag}`);

/** Every send reads the topics together with the workspace, so they are few and short. */
export const maxTopics = 20;
/** In characters. */
export const topicBounds = { name: 80, description: 200 } as const;
