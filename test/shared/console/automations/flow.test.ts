import {
  type Flow,
  joiningsOf,
  possibleTargets,
  withStepAt,
  withTargets,
} from '../../../../shared/console/sections/automations/internal/flow.ts';
import type { AutomationStep } from '../../../../shared/domain/automation/automation.ts';

const step = (key: string, type: AutomationStep['type'] = 'delay') => ({ key, type, config: {} }) as AutomationStep;
const lines = ({ connections }: Flow) => connections.map(({ from, to, type }) => `${from} ${type} ${to}`);
const keys = ({ steps }: Flow) => steps.map(({ key }) => key);

/** start → paid → (it came) thanks → end, (it did not) tips → end */
const flow: Flow = {
  steps: [step('start', 'trigger'), step('paid', 'wait_for_event'), step('thanks'), step('tips'), step('end', 'exit')],
  connections: [
    { from: 'start', to: 'paid', type: 'default' },
    { from: 'paid', to: 'thanks', type: 'event_received' },
    { from: 'paid', to: 'tips', type: 'timeout' },
    { from: 'thanks', to: 'end', type: 'default' },
    { from: 'tips', to: 'end', type: 'default' },
  ],
};

describe('a new step', () => {
  it('is put into the connection of its place, and leads on as it says', () => {
    const added = withStepAt(flow, { after: 'paid', branch: 'timeout' }, step('rest'), { default: 'tips' });
    expect(keys(added)).toEqual(['start', 'paid', 'rest', 'thanks', 'tips', 'end']);
    expect(lines(added)).toEqual([
      'start default paid',
      'paid event_received thanks',
      'paid timeout rest',
      'rest default tips',
      'thanks default end',
      'tips default end',
    ]);
  });

  it('stands where a branch led nowhere', () => {
    const open = withTargets(flow, 'paid', { event_received: 'thanks' });
    const added = withStepAt(open, { after: 'paid', branch: 'timeout' }, step('rest'), {});
    expect(lines(added)).toContain('paid timeout rest');
    expect(lines(added).filter((line) => line.startsWith('rest'))).toEqual([]);
  });
});

it('offers what may follow a step: no trigger, not itself, and nothing that leads back to it', () => {
  expect(possibleTargets(flow, 'tips').map(({ key }) => key)).toEqual(['thanks', 'end']);
  expect(possibleTargets(flow, null).map(({ key }) => key)).toEqual(['paid', 'thanks', 'tips', 'end']);
});

describe('a step that is removed', () => {
  it('is bridged where it leads to one step, or to the end', () => {
    const [only, ...others] = joiningsOf(flow, 'thanks');
    expect([others, only?.next, only?.lost]).toEqual([[], 'end', []]);
    expect(only && lines(only.flow)).toContain('paid event_received end');
    const [last] = joiningsOf(flow, 'end');
    expect(last?.next).toBeUndefined();
    expect(last && lines(last.flow)).toEqual(['start default paid', 'paid event_received thanks', 'paid timeout tips']);
  });

  it('leaves a choice where its branches lead to different steps, each with what nothing leads to then', () => {
    expect(joiningsOf(flow, 'paid').map(({ branch, next, lost }) => [branch, next, lost])).toEqual([
      ['event_received', 'thanks', ['tips']],
      ['timeout', 'tips', ['thanks']],
    ]);
    const [came] = joiningsOf(flow, 'paid');
    expect(came && [keys(came.flow), lines(came.flow)]).toEqual([
      ['start', 'thanks', 'end'],
      ['start default thanks', 'thanks default end'],
    ]);
  });

  it('leaves none where both branches lead to the same step', () => {
    const same = withTargets(flow, 'paid', { event_received: 'tips', timeout: 'tips' });
    expect(joiningsOf(same, 'paid').map(({ next }) => next)).toEqual(['tips']);
  });
});
