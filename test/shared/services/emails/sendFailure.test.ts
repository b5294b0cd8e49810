import type { NotAccepted } from '../../../../shared/email/ses.ts';
import { SendFailure } from '../../../../shared/services/emails/sendFailure.ts';

const failure = (kind: NotAccepted['kind'], outcome: string) => {
  const of = (name: string) => (outcome.includes(name) ? [`${name}@example.net`] : []);
  const recipients = { accepted: of('accepted'), refused: of('refused'), unknown: of('unknown') };
  return new SendFailure({ kind, providerCode: 'Code' }, recipients, false);
};

describe('SendFailure', () => {
  it.each<[NotAccepted['kind'], string, { extent: string; retryAfterSeconds: number | undefined; text: RegExp }]>([
    ['refused', 'refused', { extent: 'nothing', retryAfterSeconds: undefined, text: /refused the message/ }],
    ['deferred', 'refused', { extent: 'nothing', retryAfterSeconds: 5, text: /may succeed later/ }],
    ['obstacle', 'refused', { extent: 'nothing', retryAfterSeconds: 60, text: /may succeed later/ }],
    ['deferred', 'accepted refused', { extent: 'partial', retryAfterSeconds: undefined, text: /some recipients/ }],
    ['obstacle', 'accepted refused', { extent: 'partial', retryAfterSeconds: undefined, text: /some recipients/ }],
    ['unknown', 'accepted unknown', { extent: 'unknown', retryAfterSeconds: undefined, text: /did not say/ }],
    ['deferred', 'unknown', { extent: 'unknown', retryAfterSeconds: undefined, text: /did not say/ }],
  ])('of %s with %s recipients promises success only where the same call is safe', (kind, outcome, expected) => {
    const { extent, retryAfterSeconds, isForGood, text, details } = failure(kind, outcome);
    expect({ extent, retryAfterSeconds, text: text.en }).toEqual({
      ...expected,
      text: expect.stringMatching(expected.text),
    });
    expect(isForGood).toBe(kind === 'refused');
    expect('unknown' in details).toBe(extent === 'unknown');
  });
});
