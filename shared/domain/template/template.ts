import type { Text } from '../../language/text.ts';
import type { Block } from '../campaign/content/block.ts';
import type { Template as Message } from '../campaign/render/template.ts';

/** A variable that its author has said something of; any other that the text names is a string without a fallback. */
export interface DeclaredVariable {
  readonly key: string;
  readonly type: 'string' | 'number';
  /** Stands where a send gives no value; null: a send must give one, unless the place itself has a fallback. */
  readonly fallback: string | number | null;
}

/** What an author wrote: either `blocks`, or `html` and `text` as far as they are given. */
export interface TemplateSource {
  readonly subject: string | null;
  readonly preheader: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly blocks: readonly Block[] | null;
  readonly variables: readonly DeclaredVariable[];
}

/** The same, rendered but for the values of a send. */
export interface TemplateMessage {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  readonly places: readonly Place[];
  readonly declared: readonly DeclaredVariable[];
}

/**
 * Where a value goes. In HTML it stands as text, as the whole beginning of a link or an image's address (`link`, `image`),
 * or in the midst of one (`component`).
 */
export type Place = Message['variables'][number] & { readonly as?: 'link' | 'image' | 'component' };

/** A template of a workspace, without what it says. */
export interface Template {
  readonly workspaceId: string;
  readonly id: string;
  readonly name: string;
  readonly subject: string | null;
  /** Counts the changes of what it says, from 1. */
  readonly version: number;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Which version of which template an email or a campaign was made of. */
export interface TemplateVersion {
  readonly id: string;
  readonly version: number;
}

/** Written by whoever lets one recipient unsubscribe, and left alone until then. */
export const unsubscribeVariable = 'unsubscribe_url';

/** Of an id that a request names. */
export const unknownTemplate: Text = {
  en: 'there is no such template in this workspace',
  fr: 'ce modèle n’existe pas dans cet espace',
};
