import { domainNames, storedNames } from '../../../../shared/store/table/fieldRules.ts';

interface Stored {
  readonly email_id: string;
  readonly reply_to: readonly string[];
  readonly from: string;
  readonly reference?: string;
}

describe('the names of stored attributes', () => {
  it('are those of the domain in snake case, and back', () => {
    const record: Stored = { email_id: 'e', reply_to: ['a'], from: 'b' };
    expect(domainNames(record)).toEqual({ emailId: 'e', replyTo: ['a'], from: 'b' });
    expect(storedNames<Stored>({ emailId: 'e', replyTo: ['a'], from: 'b' })).toEqual(record);
  });

  it('leave out what has no value: an update cannot set an attribute to nothing', () => {
    const fields = { emailId: 'e', replyTo: [], from: 'b', reference: undefined };
    expect(Object.keys(storedNames<Stored>(fields))).toEqual(['email_id', 'reply_to', 'from']);
  });

  it('are checked by the compiler', () => {
    // @ts-expect-error: the record has no such attribute.
    storedNames<Stored>({ emailId: 'e', replyTo: [], from: 'b', refrence: 'x' });
    // @ts-expect-error: one is missing.
    storedNames<Stored>({ emailId: 'e', from: 'b' });
    expect.assertions(0);
  });
});
