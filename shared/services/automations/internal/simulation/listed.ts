import type { Output } from '../../../../contract/route.ts';
import type { simulateAutomationRoute } from '../../../../contract/routes/automationSimulation.ts';
import type { AutomationRun } from '../../../../domain/automation/run.ts';
import type { SimulationCounter } from '../../../../domain/automation/simulationCount.ts';
import type { SimulationQuestion } from './question.ts';
import { notSubscribed, playFromStart, readPeople, storedRefusal } from './starts.ts';

export type SimulatedPath = NonNullable<Output<typeof simulateAutomationRoute>['paths']>[number];

/** Simulates these people as if a call started each, and returns the path of each. */
export async function playListed(
  emails: readonly string[],
  question: SimulationQuestion,
  counter: SimulationCounter,
): Promise<SimulatedPath[]> {
  const { workspaceId, definition, window } = question;
  const people = new Map(
    (await readPeople(workspaceId, emails, [definition])).map((one) => [one.person.email, one] as const),
  );
  const start = { event: null, data: {} };
  return Promise.all(
    emails.map(async (email) => {
      const one = people.get(email);
      const reason = one?.person.subscriber
        ? (notSubscribed(one.address) ?? (await storedRefusal(question, one.person, start.data, window.from)))
        : 'unknown_subscriber';
      if (!one || reason) {
        counter.exclude(reason ?? 'unknown_subscriber');
        return { email, excluded: reason ?? 'unknown_subscriber', status: null, reason: null, steps: [] };
      }
      const run = await playFromStart(question, one, start, window.from);
      counter.addRun(run, definition);
      return pathOf(email, run, question);
    }),
  );
}

const moment = (milliseconds: number): string => new Date(milliseconds).toISOString();

const pathOf = (email: string, run: AutomationRun, { definition }: SimulationQuestion): SimulatedPath => ({
  ...{ email, excluded: null, status: run.status, reason: run.reason },
  steps: run.story.map(({ step, startedAt, status, reason = null, branch = null, completedAt }) => ({
    ...{ step: definition.steps[step]?.key ?? String(step), at: moment(startedAt), status, reason, branch },
    completed_at: completedAt === undefined ? null : moment(completedAt),
  })),
});
