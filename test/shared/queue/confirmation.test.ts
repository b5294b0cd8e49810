import { parseConfirmationMessage } from '../../../shared/queue/confirmation.ts';

describe('a message of the queue confirmation', () => {
  const read = (message: object) => parseConfirmationMessage(JSON.stringify(message));

  it('is read as the release before wrote it', () => {
    expect(read({ kind: 'confirmation', workspace_id: 'ws_1', email: 'ada@example.net' })).toEqual({
      kind: 'confirmation',
      workspaceId: 'ws_1',
      email: 'ada@example.net',
    });
    const form = {
      kind: 'sign_up',
      workspace_id: 'ws_1',
      email: 'ada@example.net',
      first_name: 'Ada',
      last_name: null,
    };
    expect(read(form)).toEqual({
      kind: 'sign_up',
      workspaceId: 'ws_1',
      email: 'ada@example.net',
      firstName: 'Ada',
      lastName: null,
    });
  });

  it('is refused when it is of another kind, or about nobody', () => {
    expect(() => read({ kind: 'other', workspace_id: 'ws_1', email: 'ada@example.net' })).toThrow();
    expect(() => read({ kind: 'confirmation', workspace_id: 'ws_1' })).toThrow();
  });
});
