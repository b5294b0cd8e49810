import * as z from 'zod';
import { longestDelaySeconds, sendMessages } from './sqs.ts';

const workspace_id = z.string();
const run = { workspace_id, automation_id: z.string(), run_id: z.string() };

const message = z.discriminatedUnion('kind', [
  /** Look at what a person did, or at a change of them. */
  z.object({ kind: z.literal('event'), workspace_id, email: z.string(), event_id: z.string() }),
  z.object({ kind: z.literal('change'), workspace_id, email: z.string(), version: z.number() }),
  /** Evaluates a person for an automation with a segment or a date: the time that was due has come. */
  z.object({ kind: z.literal('look'), workspace_id, email: z.string(), automation_id: z.string() }),
  /** Go on with a run that is still at `seq`. */
  z.object({
    ...{ kind: z.literal('wake'), ...run, seq: z.number() },
    /** The message before it did not bring the run on: the attempt is counted. */
    again: z.boolean().optional(),
  }),
  /** The provider reported something of a run's message: that it is out, or that its reader opened it or clicked. */
  z.object({
    kind: z.literal('mail'),
    ...run,
    step: z.number(),
    what: z.enum(['accepted', 'opened', 'clicked']),
    at: z.string(),
  }),
  /** Continue the jobs of an automation. */
  z.object({
    ...{ kind: z.literal('jobs'), workspace_id, automation_id: z.string() },
    /** The last run that the job `wake` has queued, and the request that it serves. */
    woken: z.object({ after: z.string(), asked: z.number() }).optional(),
  }),
  /** Count the runs of a shard anew. */
  z.object({
    ...{ kind: z.literal('recount'), workspace_id, automation_id: z.string(), shard: z.number() },
    tries: z.number().optional(),
  }),
]);

export type AutomationMessage = z.output<typeof message>;
export type WakeMessage = Extract<AutomationMessage, { kind: 'wake' }>;
export type RecountMessage = Extract<AutomationMessage, { kind: 'recount' }>;
export type RunMailMessage = Extract<AutomationMessage, { kind: 'mail' }>;

export const parseAutomationMessage = (body: string): AutomationMessage => message.parse(JSON.parse(body));

export interface DelayedAutomationMessage {
  readonly entry: AutomationMessage;
  readonly delaySeconds?: number;
  /** After an outage: such messages do not delay those that are on time. */
  readonly isLate?: boolean;
}

const lanes = {
  ...{ event: 'events', change: 'events', look: 'events' },
  ...{ wake: 'runs', mail: 'runs', jobs: 'jobs', recount: 'jobs' },
} as const;

/**
 * Queues messages. Their groups are what a workspace's events and runs are, so that none waits for another workspace, nor
 * what is on time for what is late (SQS Developer Guide, "fair queues").
 */
export const sendAutomationMessages = (messages: readonly DelayedAutomationMessage[]): Promise<void> =>
  sendMessages(
    'automation',
    messages.map(({ entry, delaySeconds = 0, isLate = false }) => ({
      MessageBody: JSON.stringify(entry),
      MessageGroupId: `${entry.workspace_id}#${isLate ? 'late' : lanes[entry.kind]}`,
      ...(delaySeconds > 0 && { DelaySeconds: Math.min(longestDelaySeconds, Math.ceil(delaySeconds)) }),
    })),
  );
