import { domainNames, storedNames } from '../../../../shared/store/table/casing.ts';

describe('the names of stored fields', () => {
  it('are those of the domain in snake case, and back', () => {
    const fields = { emailId: 'e', replyTo: ['a'], from: 'b' };
    expect(storedNames(fields)).toEqual({ email_id: 'e', reply_to: ['a'], from: 'b' });
    expect(domainNames(storedNames(fields))).toEqual(fields);
  });

  it('leave out what has no value: an update cannot set an attribute to nothing', () => {
    expect(Object.keys(storedNames({ from: 'b', reference: undefined }))).toEqual(['from']);
  });
});
