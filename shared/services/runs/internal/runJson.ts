import type { AutomationDefinition } from '../../../domain/automation/automation.ts';
import { type AutomationRun, type StoryEntry, stepOf } from '../../../domain/automation/run.ts';
import { derivedIdAt } from '../../../domain/identifier.ts';

/** Runs as the API and webhook events show them. */

/** The id of the message of a step: it derives from the run, so that no second attempt has another. */
export const emailIdOf = (run: Pick<AutomationRun, 'id'>, key: string, startedAt: number): string =>
  derivedIdAt('email', new Date(startedAt), `${run.id}#${key}`);

/** Without its steps. */
export function runSummary(run: AutomationRun, definition: AutomationDefinition) {
  return {
    object: 'automation_run' as const,
    id: run.id,
    automation_id: run.automationId,
    version: run.version,
    email: run.email,
    status: run.status,
    reason: run.reason,
    step: stepOf(run, definition)?.key ?? null,
    wakes_at: run.wakesAt,
    data: run.start.data,
    created_at: run.createdAt,
    started_at: run.createdAt,
    completed_at: run.endedAt,
  };
}

const moment = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const runDetail = (run: AutomationRun, definition: AutomationDefinition) => ({
  ...runSummary(run, definition),
  steps: run.story.map((entry) => {
    const step = definition.steps[entry.step];
    return {
      key: step?.key ?? String(entry.step),
      type: step?.type ?? 'trigger',
      status: entry.status,
      reason: entry.reason ?? null,
      output: outputOf(run, step?.key ?? '', entry),
      error: entry.error ?? null,
      started_at: moment(entry.startedAt),
      completed_at: entry.completedAt === undefined ? null : moment(entry.completedAt),
      created_at: moment(entry.startedAt),
    };
  }),
});

function outputOf(run: AutomationRun, key: string, { outcome, branch, event, startedAt }: StoryEntry) {
  const output = {
    ...(outcome && { email_id: emailIdOf(run, key, startedAt), outcome }),
    ...(branch && { branch }),
    ...(event && { event }),
  };
  return Object.keys(output).length > 0 ? output : null;
}
