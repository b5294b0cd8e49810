import type { Brand } from '../domain/workspace/brand.ts';
import type { Language } from '../language/languages.ts';
import type { PersonContext } from '../services/context.ts';
import type { Html } from './html.ts';

/** What a page is given of a request. */
export interface PageCall extends PersonContext {
  /** The token or public id of the path. */
  readonly parameter: string;
  /** Fields of a posted form; empty for any other body. */
  readonly form: URLSearchParams;
  /** Network address that the request came from. */
  readonly source: string;
}

export interface PageReply {
  readonly status: number;
  readonly document: Html;
  /** Origins that may show this page in a frame; none means that nobody may. */
  readonly frameOrigins?: readonly string[];
  readonly retryAfterSeconds?: number;
  /** The language of the document, where it is not the reader's. */
  readonly language?: Language;
  /** Sources of the one style and the one script that the document has, where they are not those of every page. */
  readonly sources?: { readonly style: string; readonly script: string };
  /** How the workspace of the page looks, where that is not the service's own look. */
  readonly brand?: Brand | null;
  /** Where its form may lead to besides this service: an origin. */
  readonly formTarget?: string | undefined;
  /** Where the reader is sent instead (303). */
  readonly location?: string | undefined;
}

export type PageVerb = (call: PageCall) => Promise<PageReply>;
