import type { Context as LambdaContext } from 'aws-lambda';
import type { Route } from '../contract/route.ts';
import type { Language } from '../language/languages.ts';
import type { KeyActor } from '../services/context.ts';

/** The key behind a call and the workspace that it opens. */
export interface Caller extends KeyActor {
  readonly workspaceId: string;
}

/** The parts of a request, each parsed by its schema of the route; undefined where the route has none. */
export interface ParsedRequest {
  readonly path: Fields;
  readonly query: Fields;
  readonly headers: Fields;
  readonly body: Fields;
}
type Fields = Readonly<Record<string, unknown>> | undefined;

/** One call that may pass: parsed, with who asks and the moment that counts as now. */
export interface Call {
  readonly route: Route;
  readonly request: ParsedRequest;
  /** Null on public routes only. */
  readonly caller: Caller | null;
  readonly language: Language;
  readonly requestId: string;
  readonly now: Date;
  readonly target: { readonly method: string; readonly path: string };
  readonly lambda: LambdaContext;
}

/** An answer on its way to the wire. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
