import {
  contentRules,
  type EmailRecord,
  emailRules,
  erasedEmail,
  shownContent,
} from '../../../../shared/store/emails/email.ts';
import { exportedFields, type FieldRules, internal } from '../../../../shared/store/table/fieldRules.ts';
import type { Indexed, Key } from '../../../../shared/store/table/keys.ts';

interface Note extends Indexed<'due'> {
  readonly text: string;
  readonly times?: number;
  readonly expires_at: number;
  readonly [copy: `copy_${number}`]: string;
}

describe('the rules of a record', () => {
  it('are demanded by the compiler for every field but keys and times to live', () => {
    const text = { erasure: 'empty', inExport: 'whole', shown: 'in lists' } as const;
    ({ text, times: internal, 'copy_*': internal }) satisfies FieldRules<Note>;
    // @ts-expect-error: `times` has no rule.
    ({ text }) satisfies FieldRules<Note>;
    // @ts-expect-error: the record has no such field.
    ({ text, times: internal, tmies: internal }) satisfies FieldRules<Note>;
    // @ts-expect-error: the rule does not say what an export does with it.
    ({ text: { erasure: 'empty', shown: 'never' }, times: internal }) satisfies FieldRules<Note>;
    expect.assertions(0);
  });
});

const alias = `erased-${'0'.repeat(40)}@erased.invalid`;
const values = { subject: 'For Ada', tags: [{ name: 'a', value: 'b' }] };
const stored: Required<EmailRecord> & Key = {
  ...{
    pk: 'p',
    sk: 'EMAIL',
    newest_pk: 'n',
    newest_sk: 's',
    expires_at: 1,
    kept_until: 2,
    workspace_id: 'ws',
    email_id: 'e',
  },
  ...{ from: 'f', to: [alias], cc: [], bcc: [], reply_to: ['r'], template: { id: 't', version: 1 }, created_at: 'c' },
  ...{ scheduled_at: 's', quota_exempt: true, envelopes: [[alias]], message_id_0: 'm', paid_by_0: 2, ...values },
};

describe('the record of an email', () => {
  it('has a rule for each of its attributes, and erasure follows it', () => {
    // What has no rule goes.
    expect(erasedEmail({ ...stored, reference: 'customer 7' })).toEqual({ ...stored, subject: '', tags: [] });
  });

  it('keeps everything but addresses while another recipient is in it', () => {
    const shared = { ...stored, envelopes: [[alias, 'bob@example.net']], reference: 'customer 7' };
    expect(erasedEmail(shared)).toEqual(shared);
  });

  it('is exported as its rules say; a field without a rule only where nobody else is in it', () => {
    const whole = { from: 'f', ...values, created_at: 'c' };
    const unknown = { ...stored, reference: 'customer 7' };
    expect(exportedFields(emailRules, unknown, { isShared: true })).toEqual(whole);
    expect(exportedFields(emailRules, unknown, { isShared: false })).toEqual({ ...whole, reference: 'customer 7' });
  });

  it('is shown as its rules say', () => {
    const content = { from: 'f', to: [], cc: [], bcc: [], replyTo: [], template: { id: 't', version: 1 }, ...values };
    const names = Object.entries(contentRules).flatMap(([name, { shown }]) => (shown === 'in lists' ? [name] : []));
    expect(Object.keys(shownContent(content, 'in lists'))).toEqual(names);
    expect(shownContent(content, 'in details')).toEqual({ template: { id: 't', version: 1 } });
    const { template: _, ...plain } = content;
    expect(shownContent(plain, 'in details')).toEqual({});
  });
});
