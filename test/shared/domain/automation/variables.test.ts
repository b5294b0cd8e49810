import { fillText, fillValues, variableOrigin, variablesIn } from '../../../../shared/domain/automation/variables.ts';

const facts = {
  contact: { email: 'ada@example.net', firstName: 'Ada', lastName: null, fields: { city: 'Paris' } },
  data: { order: { id: 7 }, items: ['pen'] },
  waited: { paid: { amount: 3 } },
};

describe('variables', () => {
  it('are filled in at any depth, and the missing ones named', () => {
    const given = {
      id: { var: 'event.order.id' },
      list: [{ var: 'steps.paid.event.amount' }],
      who: { var: 'contact.lastName' },
    };
    expect(fillValues(given, facts)).toEqual({
      value: { id: 7, list: [3], who: null },
      missing: ['contact.lastName'],
    });
  });

  it('keep their type as a value, and have a fallback in a text', () => {
    expect(fillValues({ var: 'event.items' }, facts).value).toEqual(['pen']);
    expect(fillText('Hi {{contact.firstName}} of {{contact.fields.city}}, {{contact.lastName|dear}}', facts)).toEqual({
      value: 'Hi Ada of Paris, dear',
      missing: [],
    });
    expect(fillText('{{event.none}}', facts)).toEqual({ value: '', missing: ['event.none'] });
  });

  it.each(['order.id', 'event.', 'contact.phone', 'steps.paid.amount', 'event.a b'])('%s is none', (name) => {
    expect(variableOrigin(name)).toBeNull();
  });

  it('are found in values and in a text, not in the texts of values', () => {
    expect(variablesIn({ a: { var: 'event.x' }, b: '{{event.y}}' })).toEqual(['event.x']);
    expect(variablesIn('{{event.y}}')).toEqual(['event.y']);
  });
});
