import { noPreferences, type Preferences } from '../../../../../shared/domain/person/person.ts';
import type { Workspace } from '../../../../../shared/domain/workspace/workspace.ts';
import type { CompleteEmail } from '../../../../../shared/services/emails/internal/completeEmail.ts';
import { composeChecked, draftOf } from '../../../../../shared/services/emails/internal/draft.ts';

const workspace = {
  id: 'ws_1',
  domains: [
    { domain: 'example.com', verified: true },
    { domain: 'new.example', verified: false },
  ],
  kinds: [{ tag: 'category:news', name: 'News' }],
  suspension: null,
  trackOpens: true,
  trackClicks: false,
} as unknown as Workspace;

const email = (over: Partial<CompleteEmail> = {}): CompleteEmail => ({
  from: 'Acme <hello@example.com>',
  to: ['ada@example.net', 'grace@example.net'],
  subject: 'Hi',
  text: 'Hi.',
  ...over,
});
const states = (...preferences: Preferences[]) =>
  preferences.map((own, index) => ({ email: `p${index}@example.net`, suppressions: [], preferences: own }));
const compose = (over: Partial<CompleteEmail>, ...preferences: Preferences[]) =>
  composeChecked(draftOf(email(over)), workspace, states(...preferences), {
    isLaterCall: false,
    age: () => 0,
  });

const isUntracked = { ...noPreferences, opens: 'denied', clicks: 'denied' } as const;
const leftNews = { ...noPreferences, leftTags: ['category:news'] };
const news = { tags: [{ name: 'category', value: 'news' }] };

describe('draftOf', () => {
  it('has every recipient once, Bcc included, and stores addresses as they were given', () => {
    const { addresses, content } = draftOf(
      email({ to: 'Ada <ada@example.net>', cc: ['ADA@example.net', 'bob@example.net'], bcc: 'eve@example.net' }),
    );
    expect(addresses).toHaveLength(3);
    expect(content).toMatchObject({
      to: ['Ada <ada@example.net>'],
      cc: ['ADA@example.net', 'bob@example.net'],
      bcc: ['eve@example.net'],
      tags: [],
    });
  });
});

describe('composeChecked', () => {
  it('tracks nobody when one of the recipients has refused it', async () => {
    expect((await compose({}, noPreferences, noPreferences)).tracking).toEqual({ opens: true, clicks: false });
    expect((await compose({}, noPreferences, isUntracked)).tracking).toEqual({ opens: false, clicks: false });
    expect((await compose({ track: { clicks: true } }, isUntracked, noPreferences)).tracking).toEqual({
      opens: false,
      clicks: false,
    });
  });

  it('refuses an email of a topic that one of the recipients has left, and no other', async () => {
    await expect(compose(news, noPreferences, leftNews)).rejects.toMatchObject({
      code: 'suppressed_recipient',
      details: { recipients: [{ email: 'p1@example.net', tag: 'category:news' }] },
    });
    await compose({}, leftNews);
    await compose({ tags: [{ name: 'category', value: 'receipts' }] }, leftNews);
  });

  it.each([
    ['hello@example.com', true],
    ['hello@mail.example.com', true],
    ['hello@notexample.com', false],
    ['hello@new.example', false],
    ['hello@le.com', false],
  ])('accepts mail from %s: %s', async (from, isAccepted) => {
    if (isAccepted) expect((await compose({ from })).mime.length).toBeGreaterThan(0);
    else await expect(compose({ from })).rejects.toMatchObject({ code: 'unverified_from_domain' });
  });
});
