import { erasedScheduled } from '../../../../shared/store/emails/scheduledEmails.ts';

const item = { workspace_id: 'ws', email_id: 'email_1', state: 'canceled', subject: 'For Ada', tags: [{ name: 'a' }] };

describe('a scheduled email of a person who is erased', () => {
  it('becomes due, so that its body is taken away', () => {
    const erased = erasedScheduled({ ...item, state: 'scheduled' });
    expect(erased).toMatchObject({
      state: 'canceled',
      reason: 'person_erased',
      subject: '',
      due_sk: expect.any(String),
    });
  });

  it('stays due when it was canceled and not cleaned up yet', () => {
    expect(erasedScheduled({ ...item, due_pk: 'DUE', due_sk: 'x' })).toHaveProperty('due_pk');
  });

  it('emits no second event when it was cancelled long ago', () => {
    const erased = erasedScheduled(item);
    expect(erased).toMatchObject({ state: 'canceled', subject: '', tags: [] });
    expect(erased).not.toHaveProperty('due_pk');
  });
});
