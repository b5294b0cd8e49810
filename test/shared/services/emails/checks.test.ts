import { ServiceError } from '../../../../shared/contract/errors.ts';
import { maxMessageBytes } from '../../../../shared/domain/message/attachment.ts';
import type { Suppression } from '../../../../shared/domain/person/person.ts';
import { checkMessageSize, checkSuppressions } from '../../../../shared/services/emails/checks.ts';

function refusalOf(check: () => void): ServiceError {
  try {
    check();
  } catch (error) {
    if (error instanceof ServiceError) return error;
  }
  throw new Error('Nothing was refused.');
}

const entry = (email: string, scope: Suppression['scope'], reason: Suppression['reason']): Suppression => ({
  email,
  scope,
  reason,
  createdAt: '2026-11-21T10:30:00.000Z',
});

describe('422 suppressed_recipient', () => {
  it('names an address that is on both lists once, by the entry of the workspace', () => {
    const refusal = refusalOf(() =>
      checkSuppressions([
        entry('ada@example.net', 'platform', 'bounce'),
        entry('grace@example.net', 'platform', 'complaint'),
        entry('ada@example.net', 'organization', 'manual'),
      ]),
    );
    expect(refusal.details.recipients).toEqual([
      { email: 'grace@example.net', reason: 'complaint', scope: 'platform' },
      { email: 'ada@example.net', reason: 'manual', scope: 'organization' },
    ]);
    for (const text of Object.values(refusal.text)) expect(text.match(/ada@example\.net/g)).toHaveLength(1);
  });
});

describe('422 for a message over 40 MB', () => {
  it('begins with the first byte above', () => {
    expect(() => checkMessageSize(maxMessageBytes, [])).not.toThrow();
    expect(refusalOf(() => checkMessageSize(maxMessageBytes + 1, [])).code).toBe('validation_error');
  });

  it('never says that the size equals the limit, and names the largest file', () => {
    const attachments = [{ filename: 'été.zip', content: 'A'.repeat(4 * 1024 * 1024) }];
    const { text } = refusalOf(() => checkMessageSize(maxMessageBytes + 1, attachments));
    expect(text.en).toContain('reaches 40.1 MB once encoded ("été.zip": 4.2 MB); the limit is 40.0 MB');
    expect(text.fr).toContain('atteint 40,1 Mo une fois encodé (« été.zip » : 4,2 Mo) ; la limite est de 40,0 Mo');
  });
});
