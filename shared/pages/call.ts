import type { Brand } from '../domain/workspace/brand.ts';
import type { Language } from '../language/languages.ts';
import type { PersonContext } from '../services/context.ts';
import type { Html } from './html.ts';

/** A request as a page gets it. */
export interface PageCall extends PersonContext {
  /** The token or public id of the path. */
  readonly parameter: string;
  /** Of the reference; empty on every other page. */
  readonly chapter: string;
  /** Fields of a posted form; empty for any other body. */
  readonly form: URLSearchParams;
  /** The network address of the client. */
  readonly source: string;
}

/** A document for programs. */
interface PlainDocument {
  readonly type: 'text/plain' | 'text/markdown';
  readonly text: string;
}

export interface PageReply {
  readonly status: number;
  readonly document: Html | PlainDocument;
  /** Origins that may show this page in a frame; none by default. */
  readonly frameOrigins?: readonly string[];
  readonly retryAfterSeconds?: number;
  /** The language of the document when it is not the reader's. */
  readonly language?: Language;
  /** For a document that is the same for every reader: how long anybody may keep it. */
  readonly cacheSeconds?: number;
  /** CSP sources of the document's style, script and connections when they are not those of every page. */
  readonly sources?: { readonly style: string; readonly script: string; readonly connections?: string };
  /** The brand of the page's workspace. */
  readonly brand?: Brand | null;
  /** The origin that its form may redirect to besides this service. */
  readonly formTarget?: string | undefined;
  /** Where the reader is redirected instead (303). */
  readonly location?: string | undefined;
}

export type PageVerb = (call: PageCall) => Promise<PageReply>;
