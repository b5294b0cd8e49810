import type { Input, Result, Route } from '../contract/route.ts';
import type { Scope } from '../contract/scopes.ts';
import type { OperatorRole } from '../domain/workspace/operatorRole.ts';
import type { Language } from '../language/languages.ts';

/** An application with a key of the workspace. */
export interface KeyActor {
  readonly kind: 'key';
  readonly keyId: string;
  readonly keyName: string;
  readonly lastFour: string;
  readonly scopes: readonly Scope[];
}

/** Where an operator comes in by: whoever holds the deployment's own credentials, or a session of the console. */
type OperatorDoor = 'command_line' | 'console';

export interface OperatorActor {
  readonly kind: 'operator';
  readonly role: OperatorRole;
  readonly door: OperatorDoor;
  /** Who it is, for the audit log. */
  readonly name: string;
  /** The only workspace that they may enter; null for all, and for the deployment as a whole. */
  readonly workspaceId: string | null;
}

/** A person who opened the link of a message, or filled in a public form. */
interface PersonActor {
  readonly kind: 'person';
}

/** The service itself: a worker, a sweep. */
export interface SystemActor {
  readonly kind: 'system';
}

export type Actor = KeyActor | OperatorActor | PersonActor | SystemActor;

/** What every verb is told besides its input, whichever door it was called by. */
export interface Context<Who extends Actor = Actor> {
  readonly actor: Who;
  readonly workspaceId: string;
  readonly language: Language;
  /** The moment that counts as now. */
  readonly now: Date;
  /** Found again in every log line of the call. */
  readonly requestId: string;
}

/** A person's call: what they hold says which workspace it is about. */
export type PersonContext = Omit<Context<PersonActor>, 'workspaceId'>;

/** A call about the deployment as a whole. */
export type DeploymentContext = Omit<Context, 'workspaceId'>;

/** A call of what needs no key: it belongs to no workspace. */
export type PublicContext = Pick<Context, 'language' | 'now' | 'requestId'>;

/** What a route does. It knows nothing of HTTP: `shared/http/` gives input and result their form on the wire. */
export type Verb<R extends Route> = (
  context: R['access'] extends 'public' ? PublicContext : Context<KeyActor>,
  input: Input<R>,
) => Promise<Result<R>>;
