import type { ParsedRequest, Route } from '../contract/route.ts';
import type { Scope } from '../contract/scopes.ts';
import type { Language } from '../language/text.ts';

/** The key behind a call and the workspace that it opens. */
export interface Caller {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly lastFour: string;
  readonly scopes: readonly Scope[];
}

/** What a verb is given: the parsed request, who asks, and the moment that counts as now. */
export interface Call<R extends Route = Route> extends ParsedRequest<R> {
  readonly caller: R['access'] extends 'public' ? Caller | null : Caller;
  readonly language: Language;
  readonly requestId: string;
  readonly now: Date;
  readonly target: { readonly method: string; readonly path: string };
  /** `{base_url}` of the contract, without a trailing slash. */
  readonly baseUrl: string;
}

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Verb<R extends Route> = (call: Call<R>) => Promise<Reply>;
