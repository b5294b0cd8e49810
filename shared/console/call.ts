import type { Language } from '../language/languages.ts';
import type { Html } from '../pages/html.ts';
import type { Context, DeploymentContext, OperatorActor } from '../services/context.ts';
import type { PathSealer } from '../services/operators/sealedPaths.ts';
import { mayDo, type OperatorNeed } from '../services/operatorVerb.ts';
import type { SendingState } from '../services/sendingHold.ts';

/** A small file, or a piece of a large one. */
export interface UploadedFile {
  readonly filename: string;
  readonly bytes: Uint8Array;
}

/** An HTTP request as the console gets it. */
export interface ConsoleRequest {
  readonly method: 'GET' | 'POST';
  /** Below `/console`; its parts are decoded when it is matched. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Fields of a posted form; empty for any other body. */
  readonly form: URLSearchParams;
  /** Files of the form by the names of their fields. */
  readonly files: ReadonlyMap<string, UploadedFile>;
  /** The `Origin` header; empty without one. */
  readonly origin: string;
  readonly cookies: ReadonlyMap<string, string>;
  readonly language: Language;
  readonly now: Date;
  readonly requestId: string;
}

/** A request for a page of a workspace, by a signed-in operator. */
export interface ConsoleCall {
  readonly request: ConsoleRequest;
  /** For the verbs. */
  readonly context: Context<OperatorActor>;
  /** The operator's choice. */
  readonly language: Language;
  /** Decoded parts of the path by their names. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  /** Encrypts addresses of people and positions in lists, so that URLs may contain them. */
  readonly places: PathSealer;
  /** The token against forgery that each form of this session contains. */
  readonly formToken: string;
  readonly workspaceName: string;
  /** Whether all sending of the deployment is held, as it was some seconds ago. */
  readonly sending: SendingState;
}

/** A page: a whole document. */
interface Document {
  readonly kind: 'document';
  readonly status: number;
  readonly document: Html;
  readonly cookies?: readonly string[];
  /** Seconds after which the same request may succeed. */
  readonly retryAfterSeconds?: number | undefined;
}

/** A redirect to another page (303), after a form was handled. */
interface Redirect {
  readonly kind: 'redirect';
  readonly location: string;
  readonly cookies?: readonly string[];
}

/** Anything but a page: a style sheet, a script, a download, the preview of a campaign. */
interface File {
  readonly kind: 'file';
  /** 200 when left out. */
  readonly status?: number;
  readonly type: string;
  readonly body: string;
  /** True when the content of its address never changes. */
  readonly isImmutable?: boolean;
  /** The file name of a download. */
  readonly saveAs?: string;
  /** The content security policy of an untrusted document. */
  readonly policy?: string;
}

export type ConsoleReply = Document | Redirect | File;

type ConsoleVerb = (call: ConsoleCall) => Promise<ConsoleReply>;

/** One method of a page of a workspace, below `/console/{workspace}`. */
export interface ConsolePage {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Required role, checked before the form is shown. */
  readonly needs?: OperatorNeed;
  readonly verb: ConsoleVerb;
}

/** The answer to a request of the page's script. */
export const dataOf = (value: unknown, status = 200): ConsoleReply => ({
  kind: 'file',
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(value),
});

export const redirect = (location: string): ConsoleReply => ({ kind: 'redirect', location });

/** Whether the operator's role allows it; pages do not offer what it does not allow. */
export const may = ({ context }: ConsoleCall, need: OperatorNeed): boolean => mayDo(context.actor, need);

/** For verbs about the deployment as a whole. */
export const deploymentOf = ({ context: { actor, language, now, requestId } }: ConsoleCall): DeploymentContext => ({
  actor,
  language,
  now,
  requestId,
});
