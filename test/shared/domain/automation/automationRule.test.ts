import {
  automationRule,
  decideRule,
  eventsOfRule,
  filterRule,
  stepsOfRule,
} from '../../../../shared/domain/automation/automationRule.ts';

const facts = {
  person: {
    ...{ firstName: 'Ada', lastName: null, tags: ['vip'], fields: { plan: 'Pro', age: '36' } },
    ...{ createdAt: '2026-11-01T00:00:00Z', confirmedAt: null },
    activities: new Map([['email.opened', { count: 1, last: '2026-11-20T12:00:00.000Z', expiresAt: 1_900_000_000 }]]),
  },
  data: { amount: 20, order: { total: '19.5', note: null }, items: [{ name: 'Pen' }] },
  waited: { paid: { method: 'Card' } },
  mail: { hello: { opened: true, clicked: false } },
  event: { amount: 5 },
  now: new Date('2026-11-24T12:00:00Z'),
};

const decide = (rule: object) => decideRule(automationRule.parse(rule), facts);
const resend = (field: string, operator: string, value?: unknown) => ({ type: 'rule', field, operator, value });

describe('a rule of an automation', () => {
  it('names the activities that it asks about, and none for the message of a step', () => {
    const mail = { mail: 'opened', operator: 'exists' };
    const rule = {
      any: [mail, { step: 'hello', mail: 'clicked' }, { event: 'visit', operator: 'exists' }, { not: mail }],
    };
    expect(eventsOfRule(automationRule.parse(rule))).toEqual(['email.opened', 'visit']);
  });

  it.each([
    [{ tag: 'vip' }, true],
    [{ field: 'plan', operator: 'equals', value: 'pro' }, true],
    [{ trigger: 'amount', operator: 'greater_than', value: 19 }, true],
    [{ trigger: 'order.total', operator: 'less_than', value: 19 }, false],
    [{ trigger: 'items.0.name', operator: 'equals', value: 'pen' }, true],
    [{ trigger: 'order.note', operator: 'exists' }, false],
    [{ trigger: 'order', operator: 'exists' }, true],
    [{ trigger: 'constructor', operator: 'exists' }, false],
    [{ trigger: 'missing', operator: 'not_equals', value: 1 }, true],
    [{ waited: { step: 'paid', path: 'method' }, operator: 'starts_with', value: 'ca' }, true],
    [{ waited: { step: 'other', path: 'method' }, operator: 'exists' }, false],
    [{ step: 'hello', mail: 'opened' }, true],
    [{ not: { step: 'hello', mail: 'clicked' } }, true],
    [{ step: 'other', mail: 'opened' }, false],
    [{ mail: 'opened', operator: 'exists' }, true],
    [{ mail: 'opened', operator: 'within_last_days', value: 3 }, false],
    [{ not: { mail: 'clicked', operator: 'exists' } }, true],
    [{ all: [{ tag: 'vip' }, { trigger: 'amount', operator: 'equals', value: 20 }] }, true],
  ])('%j is %s', (rule, expected) => expect(decide(rule)).toBe(expected));

  it.each([
    [resend('event.amount', 'eq', 20), true],
    [resend('event.amount', 'neq', 20), false],
    [resend('event.amount', 'gt', 20), false],
    [resend('event.amount', 'gte', 20), true],
    [resend('event.amount', 'lt', 21), true],
    [resend('event.amount', 'lte', 19), false],
    [resend('contact.plan', 'contains', 'r'), true],
    [resend('contact.first_name', 'starts_with', 'a'), true],
    [resend('contact.plan', 'ends_with', 'RO'), true],
    [resend('event.order.note', 'is_empty'), true],
    [resend('event.missing', 'exists'), false],
    [resend('event.missing', 'eq', null), true],
    [
      {
        type: 'or',
        rules: [resend('event.amount', 'eq', 1), { type: 'and', rules: [resend('contact.age', 'gt', 30)] }],
      },
      true,
    ],
  ])('in the form of Resend, %j is %s', (rule, expected) => expect(decide(rule)).toBe(expected));

  it('has the data of its own event in a filter only', () => {
    const rule = { data: 'amount', operator: 'equals', value: 5 };
    expect(decideRule(filterRule.parse(rule), facts)).toBe(true);
    expect(decideRule(filterRule.parse(resend('event.amount', 'eq', 5)), facts)).toBe(true);
    expect(automationRule.safeParse(rule).success).toBe(false);
  });

  it('says which steps it names', () => {
    const rule = {
      any: [{ step: 'hello', mail: 'opened' }, { not: { waited: { step: 'paid', path: 'x' }, operator: 'exists' } }],
    };
    expect(stepsOfRule(automationRule.parse(rule))).toEqual([
      { key: 'hello', as: 'message' },
      { key: 'paid', as: 'wait' },
    ]);
  });

  it('is not read deeper than people can', () => {
    let rule: object = { tag: 'vip' };
    for (let depth = 0; depth < 20_000; depth += 1) rule = { type: 'and', rules: [rule] };
    expect(automationRule.safeParse(rule).success).toBe(false);
  });
});
