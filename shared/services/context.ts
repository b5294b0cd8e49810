import type { Input, Result, Route } from '../contract/route.ts';
import type { Scope } from '../contract/scopes.ts';
import { createId, type IdPrefix, withPrefix } from '../domain/identifier.ts';
import type { OperatorRole } from '../domain/workspace/workspace.ts';
import type { Language } from '../language/languages.ts';

/** An application that calls with an API key. */
export interface KeyActor {
  readonly kind: 'key';
  readonly keyId: string;
  readonly keyName: string;
  readonly lastFour: string;
  readonly scopes: readonly Scope[];
}

/** A person who operates the deployment or one of its workspaces. */
export interface OperatorActor {
  readonly kind: 'operator';
  readonly role: OperatorRole;
  /** The command line has the deployment's own AWS credentials, the console a session. */
  readonly entryPoint: 'command_line' | 'console';
  /** As the audit log names them. */
  readonly name: string;
  /** The only workspace that they may work in; null for all of them and the deployment itself. */
  readonly workspaceId: string | null;
}

/** A person who opened a link of a message or filled in a public form. */
interface PersonActor {
  readonly kind: 'person';
}

/** The service itself, in a worker. */
export interface SystemActor {
  readonly kind: 'system';
}

export type Actor = KeyActor | OperatorActor | PersonActor | SystemActor;

/** What every verb gets besides its input, from every entry point. */
export interface Context<Who extends Actor = Actor> {
  readonly actor: Who;
  readonly workspaceId: string;
  readonly language: Language;
  /** The current time for the whole call. */
  readonly now: Date;
  /** On every log line of the call. */
  readonly requestId: string;
  /** Under an Idempotency-Key: what the id of a created object is made of, so that a repeated call creates no second. */
  readonly reservedId?: string;
}

/** The id of an object that a call creates. */
export const newId = ({ reservedId, now }: Pick<Context, 'reservedId' | 'now'>, prefix: IdPrefix): string =>
  reservedId === undefined ? createId(prefix, now) : withPrefix(prefix, reservedId);

/** The call of a person, whose link or form names the workspace. */
export type PersonContext = Omit<Context<PersonActor>, 'workspaceId'>;

/** A call that is about the deployment and no workspace. */
export type DeploymentContext = Omit<Context, 'workspaceId'>;

/** A call without a key, which belongs to no workspace. */
export type PublicContext = Pick<Context, 'language' | 'now' | 'requestId'>;

/** What a route does, without HTTP: `shared/http/` reads the request and writes the response. */
export type Verb<R extends Route> = (
  context: R['access'] extends 'public' ? PublicContext : Context<KeyActor>,
  input: Input<R>,
) => Promise<Result<R>>;
