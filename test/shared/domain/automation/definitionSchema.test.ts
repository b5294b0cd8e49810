import { issuesOf } from '../../../../shared/contract/errors.ts';
import { type GivenDefinition, readDefinition } from '../../../../shared/domain/automation/definitionSchema.ts';

const elsewhere = {
  tagOfTopic: new Map([['top_news', 'category:news']]),
  tagOfSegment: new Map([['seg_vip', 'vip']]),
};

const trigger = { key: 'start', type: 'trigger', config: { event_name: 'order_placed' } };
const thanks = { key: 'thanks', type: 'send_email', config: { subject: 'Thank you', text: 'For order {{event.id}}.' } };
const exit = { key: 'end', type: 'exit' };

/** Steps in a row. */
const inRow = (...steps: readonly { readonly key: string }[]): GivenDefinition => ({
  steps,
  connections: steps.slice(1).map(({ key }, index) => ({ from: steps[index]?.key, to: key })),
});

const read = (given: GivenDefinition) => readDefinition(given, elsewhere);
const problems = (given: GivenDefinition) => {
  const { error } = read(given);
  return error ? issuesOf(error).map(({ path, text }) => `${path}: ${text.en}`) : [];
};
const stepsOf = (given: GivenDefinition) => read(given).read?.definition.steps;

describe('a definition', () => {
  it('is completed with what was left out', () => {
    expect(read(inRow(trigger, thanks, exit)).read).toEqual({
      definition: {
        steps: [trigger, thanks, { ...exit, config: {} }],
        connections: [
          { from: 'start', to: 'thanks', type: 'default' },
          { from: 'thanks', to: 'end', type: 'default' },
        ],
        ...{ reentry: 'once', run_key: null, goals: [], from: null, reply_to: null, track: null },
      },
      settings: { tag: null, quietHours: null, maxDelay: '48 hours' },
    });
  });

  it('is read back as the same definition', () => {
    const first = read({ ...inRow(trigger, thanks), reentry: { after_days: 30 }, run_key: 'event.id', tag: 'a:b' });
    const again = read({ ...first.read?.definition, tag: first.read?.settings.tag });
    expect(again.read).toEqual(first.read);
  });

  it('reports all problems at once, each with its path', () => {
    const steps = [
      trigger,
      { key: 'rest', type: 'delay', config: { duration: '3 fortnights' } },
      { key: 'wait', type: 'wait_for_event', config: { event_name: 'paid', timeout: '366 days' } },
      { key: 'wait', type: 'send_email', config: { subject: 'Hello', text: '{{steps.start.event.x}}' } },
      { key: 'lost', type: 'subscriber_update', config: { add_tag: ['vip'] } },
    ];
    const connections = [
      { from: 'start', to: 'rest' },
      { from: 'rest', to: 'wait', type: 'timeout' },
      { from: 'rest', to: 'nowhere' },
    ];
    expect(problems({ steps, connections, reentry: 'never', max_delay: '10 minutes' })).toEqual([
      'steps[1].config.duration: must be a number of minutes, hours, days or weeks, as in "3 days"',
      'steps[2].config.timeout: must be 1 minute to 365 days',
      'steps[4].config.add_tag: is not a field of this request; did you mean `add_tags`?',
      'steps[4].config: changes nothing',
      'reentry: must be "once", "always" or {"after_days": 1 to 400}',
      'max_delay: must be 1 hour to 30 days',
      'steps[3].key: is the key of an earlier step',
      'connections[2].to: is not the key of a step',
      'steps[4]: cannot be reached: no connection leads here from the trigger',
      'steps[3].config.text: "start" is not the key of a wait_for_event step with an event',
    ]);
  });

  it.each([
    [
      { steps: [thanks, exit], connections: [{ from: 'thanks', to: 'end' }] },
      'steps[0].type: must be a step of the type trigger',
    ],
    [inRow(trigger, { ...trigger, key: 'second' }), 'steps[1].type: only the first step may be a trigger'],
    [{ steps: [trigger], connections: [] }, 'steps: must have at least 2 entries'],
    [inRow(trigger, exit, thanks), 'connections[1].from: is an exit, which has no connection'],
  ])('is refused: %#', (given, problem) => {
    expect(problems(given)).toContain(problem);
  });

  it('has no loop', () => {
    const rest = { key: 'rest', type: 'delay', config: { duration: '1 day' } };
    const { steps, connections } = inRow(trigger, rest, thanks);
    const looping = [...(connections as []), { from: 'thanks', to: 'rest' }];
    expect(problems({ steps, connections: looping })).toEqual([
      'steps[1]: leads back to itself: an automation has no loops',
    ]);
  });

  it('has one connection of each type for a step', () => {
    const { steps, connections } = inRow(trigger, thanks, exit);
    expect(problems({ steps, connections: [...(connections as []), { from: 'start', to: 'end' }] })).toEqual([
      'connections[2].type: is the type of another connection from this step',
    ]);
  });

  it('has 100 steps at most', () => {
    const steps = Array.from({ length: 101 }, (_, index) => ({
      ...{ key: `s${index}`, type: 'delay', config: { duration: '1 day' } },
    }));
    expect(problems(inRow(trigger, ...steps.slice(0, 99)))).toEqual([]);
    expect(problems(inRow(trigger, ...steps.slice(0, 100)))).toEqual(['steps: must have at most 100 entries']);
  });

  it('has 100 kB at most', () => {
    const long = (key: string) => ({ key, type: 'send_email', config: { subject: 'S', text: 'x'.repeat(60_000) } });
    expect(problems(inRow(trigger, long('one')))).toEqual([]);
    expect(problems(inRow(trigger, long('one'), long('two')))).toEqual([
      'steps: the definition must have at most 100000 bytes as JSON',
    ]);
  });
});

describe('what the resend client writes', () => {
  const rule = { type: 'rule', field: 'event.total', operator: 'gte', value: 10 };
  it('is read as our own form', () => {
    const steps = [
      trigger,
      { key: 'big', type: 'condition', config: { type: 'and', rules: [rule] } },
      {
        key: 'name',
        type: 'contact_update',
        config: { first_name: { var: 'event.name' }, properties: { plan: 'pro' } },
      },
      { key: 'vip', type: 'add_to_segment', config: { segment_id: 'seg_vip' } },
      { key: 'mail', type: 'send_email', config: { subject: 'Hello', html: '<p>Hello</p>', topic_id: 'top_news' } },
    ];
    const connections = [
      { from: 'start', to: 'big' },
      { from: 'big', to: 'name', type: 'condition_met' },
      { from: 'name', to: 'vip' },
      { from: 'vip', to: 'mail' },
    ];
    expect(
      stepsOf({ steps, connections })
        ?.map(({ type, config }) => ({ type, config }))
        .slice(1),
    ).toEqual([
      {
        type: 'condition',
        config: {
          all: [
            {
              any: [
                { trigger: 'total', operator: 'greater_than', value: 10 },
                { trigger: 'total', operator: 'equals', value: 10 },
              ],
            },
          ],
        },
      },
      { type: 'subscriber_update', config: { firstName: { var: 'event.name' }, fields: { plan: 'pro' } } },
      { type: 'subscriber_update', config: { add_tags: ['vip'] } },
      { type: 'send_email', config: { subject: 'Hello', html: '<p>Hello</p>', tag: 'category:news' } },
    ]);
  });

  it.each([
    [{ key: 'x', type: 'contact_delete', config: {} }, 'steps[1].type'],
    [{ key: 'x', type: 'contact_update', config: { unsubscribed: true } }, 'steps[1].config.unsubscribed'],
    [{ key: 'x', type: 'add_to_segment', config: { segment_id: 'seg_other' } }, 'steps[1].config.segment_id'],
    [
      { key: 'x', type: 'send_email', config: { subject: 'S', text: 'T', topic_id: 'top_no' } },
      'steps[1].config.topic_id',
    ],
  ])('is refused where it would change consent or delete: %#', (step, path) => {
    expect(problems(inRow(trigger, step)).map((problem) => problem.split(':')[0])).toContain(path);
  });
});
