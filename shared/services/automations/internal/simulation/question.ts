import { ValidationError } from '../../../../contract/errors.ts';
import type { Input } from '../../../../contract/route.ts';
import type { simulateAutomationRoute } from '../../../../contract/routes/automationSimulation.ts';
import { populationOf } from '../../../../contract/schemas/automationSimulation.ts';
import type { AutomationDefinition, LiveSettings } from '../../../../domain/automation/automation.ts';
import type { Assumptions } from '../../../../domain/automation/simulate.ts';
import type { SimulatedWindow } from '../../../../domain/automation/simulationCount.ts';
import { textsOf } from '../../../../language/text.ts';
import { addSeconds, secondsInDay } from '../../../../platform/clock.ts';
import type { AutomationHead } from '../../../../store/automation/automations.ts';

type Asked = Input<typeof simulateAutomationRoute>;

/** What is asked, with everything that was left out. */
export interface SimulationQuestion {
  readonly workspaceId: string;
  /** Null for a definition that is not stored: nobody is or was in it. */
  readonly head: Pick<AutomationHead, 'id' | 'version' | 'epoch'> | null;
  readonly definition: AutomationDefinition;
  readonly settings: LiveSettings;
  readonly window: SimulatedWindow;
  readonly assumed: Assumptions;
  /** The time of the call: what is recorded, is recorded by now. */
  readonly now: Date;
}

const texts = textsOf({
  at: {
    en: 'must be within the simulated days',
    fr: 'doit être dans les jours simulés',
  },
  openRuns: {
    en: 'must not be open_runs for a definition that is not stored: nobody is in it',
    fr: 'ne doit pas être open_runs pour une définition qui n’est pas enregistrée : personne ne s’y trouve',
  },
  replay: {
    en: 'must not be replay unless the trigger is an event',
    fr: 'ne doit pas être replay si le déclencheur n’est pas un événement',
  },
});

const defaultReplayDays = 7;
/** Of a replay: how many days of events. */
export const replayDaysOf = ({ replay_days: days = defaultReplayDays }: Pick<Asked, 'replay_days'>): number => days;

/** The time that is simulated. Throws `validation_error` for a moment outside of it. */
export function windowOf(asked: Omit<Asked, 'id' | 'definition'>, now: Date): SimulatedWindow {
  const usual = populationOf(asked) === 'replay' ? addSeconds(now, -replayDaysOf(asked) * secondsInDay) : now;
  const from = asked.from === undefined ? usual : new Date(asked.from);
  const until = addSeconds(from, asked.days * secondsInDay);
  const at = asked.at === undefined ? until : new Date(asked.at);
  if (at < from || at > until) throw new ValidationError([{ path: 'at', text: texts.at }]);
  return { from, until, at, zone: asked.zone ?? 'UTC' };
}

export const assumptionsOf = ({ assume }: Pick<Asked, 'assume'>): Assumptions => ({
  events: new Set(assume?.events ?? []),
  opened: assume?.opened ?? false,
  clicked: assume?.clicked ?? false,
});

/** Throws `validation_error` for a population that there cannot be. */
export function requirePopulation(
  asked: Omit<Asked, 'id' | 'definition'>,
  { head, definition }: Pick<SimulationQuestion, 'head' | 'definition'>,
): void {
  const population = populationOf(asked);
  const [{ config: trigger }] = definition.steps;
  if (population === 'open_runs' && !head) throw new ValidationError([{ path: 'population', text: texts.openRuns }]);
  if (population === 'replay' && !('event_name' in trigger))
    throw new ValidationError([{ path: 'population', text: texts.replay }]);
}
