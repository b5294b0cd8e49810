import type { Language } from '../language/languages.ts';
import type { Html } from '../pages/html.ts';
import type { Context, DeploymentContext, OperatorActor } from '../services/context.ts';
import type { Places } from '../services/operators/places.ts';
import { mayDo, type OperatorNeed } from '../services/requireOperator.ts';
import { consoleRoot } from './root.ts';

/** What a browser sent of a file: a piece of a large one, a small one whole. */
export interface UploadedFile {
  readonly filename: string;
  readonly bytes: Uint8Array;
}

/** What an HTTP request is to the console. */
export interface ConsoleRequest {
  readonly method: 'GET' | 'POST';
  /** Below `/console`, decoded part by part where it is matched. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Fields of a posted form; empty for any other body. */
  readonly form: URLSearchParams;
  /** Files of the form, by the names of their fields. */
  readonly files: ReadonlyMap<string, UploadedFile>;
  /** As the browser sent it; empty when it did not. */
  readonly origin: string;
  readonly cookies: ReadonlyMap<string, string>;
  readonly language: Language;
  readonly now: Date;
  readonly requestId: string;
}

/** What a page of a workspace is given: who looks, and what they asked for. */
export interface ConsoleCall {
  readonly request: ConsoleRequest;
  /** For the verbs; the language is the operator's choice. */
  readonly context: Context<OperatorActor>;
  readonly language: Language;
  /** Parts of the path by their names, decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  /** Addresses of people, and places in lists, as they may stand in the address of a page. */
  readonly places: Places;
  /** What each form of this session carries. */
  readonly formToken: string;
  readonly workspaceName: string;
}

/** A page: a whole document. */
interface Document {
  readonly kind: 'document';
  readonly status: number;
  readonly document: Html;
  readonly cookies?: readonly string[];
}

/** Where the browser goes on by GET (303), after something was done. */
interface Redirect {
  readonly kind: 'redirect';
  readonly location: string;
  readonly cookies?: readonly string[];
}

/** Anything that is no page of the console: a style, a script, a download, the preview of a campaign. */
interface File {
  readonly kind: 'file';
  /** 200 when left out. */
  readonly status?: number;
  readonly type: string;
  readonly body: string;
  /** True for what never changes under its address. */
  readonly isImmutable?: boolean;
  /** Its name on the disk of whoever downloads it. */
  readonly saveAs?: string;
  /** The policy of a document that somebody else wrote. */
  readonly policy?: string;
}

export type ConsoleReply = Document | Redirect | File;

type ConsoleVerb = (call: ConsoleCall) => Promise<ConsoleReply>;

/** One method of a page of a workspace, below `/console/{workspace}`. */
export interface ConsolePage {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Of a page that is there for one act: who may not do that is told so at once, and not once they have written it all. */
  readonly needs?: OperatorNeed;
  readonly verb: ConsoleVerb;
}

/** What a script of ours asks for. */
export const dataOf = (value: unknown, status = 200): ConsoleReply => ({
  kind: 'file',
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});

export const redirect = (location: string): ConsoleReply => ({ kind: 'redirect', location });

/** A page of the same workspace; `done` names what the next page says was done. */
export function placeOf(
  { context }: ConsoleCall,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
) {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(given).toString();
  return `${consoleRoot()}/${encodeURIComponent(context.workspaceId)}${path}${text === '' ? '' : `?${text}`}`;
}

/** Whether whoever looks may do it: what they may not is not offered. */
export const may = ({ context }: ConsoleCall, need: OperatorNeed): boolean => mayDo(context.actor, need);

/** For verbs about the deployment as a whole. */
export const deploymentOf = ({ context: { actor, language, now, requestId } }: ConsoleCall): DeploymentContext => ({
  actor,
  language,
  now,
  requestId,
});
