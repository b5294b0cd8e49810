import type { Language } from '../../language/languages.ts';
import type { OperatorRole } from '../workspace/operatorRole.ts';
import type { JobWork } from './work.ts';

/** `preparing`: somebody must still say something. What ended stays for a while, to be looked at. */
export const jobStates = ['preparing', 'running', 'done', 'canceled', 'failed'] as const;
export type JobState = (typeof jobStates)[number];

/** Something that takes longer than an answer may, done in the background for an operator. */
export interface Job<Work extends JobWork = JobWork> {
  readonly workspaceId: string;
  readonly id: string;
  readonly state: JobState;
  readonly work: Work;
  /** Who began it. */
  readonly by: { readonly name: string; readonly role: OperatorRole };
  /** Of the report of what was refused. */
  readonly language: Language;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  readonly endedAt: string | null;
  /** Why it failed, as it is told. */
  readonly failure: string | null;
  /** Who is at work; nobody where it is null, or where `dueAt` has passed. */
  readonly holder: string | null;
  /** When somebody must look at it again; null unless it runs. */
  readonly dueAt: string | null;
  /** How often it was taken up since it last got on. */
  readonly tries: number;
  /** Counts its changes: whoever changes it has seen the last one. */
  readonly revision: number;
}

/** A job that gets nowhere so often in a row would do so for ever. */
export const mostTries = 5;
