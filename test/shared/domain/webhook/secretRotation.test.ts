import { maxSigningSecrets, rotated, signingSecrets } from '../../../../shared/domain/webhook/secretRotation.ts';
import type { WebhookSecrets } from '../../../../shared/domain/webhook/webhook.ts';

const start = new Date('2026-11-21T10:00:00.000Z');
const hoursLater = (hours: number) => new Date(start.getTime() + hours * 3_600_000);

/** The secrets after a rotation that is expected to be possible. */
function rotate(current: WebhookSecrets, sealed: string, now: Date): WebhookSecrets {
  const secrets = rotated(current, sealed, now);
  if (secrets instanceof Date) throw new Error(`No room before ${secrets.toISOString()}.`);
  return secrets;
}

const fresh: WebhookSecrets = { secret: 'a', previousSecrets: [] };

describe('a rotated secret', () => {
  it('signs for 24 hours beside its successor', () => {
    const secrets = rotate(fresh, 'b', start);
    expect(signingSecrets(secrets, start)).toEqual(['b', 'a']);
    expect(signingSecrets(secrets, new Date(hoursLater(24).getTime() - 1))).toEqual(['b', 'a']);
    expect(signingSecrets(secrets, hoursLater(24))).toEqual(['b']);
  });

  it('keeps its own 24 hours however often its successors are rotated', () => {
    const twice = rotate(rotate(fresh, 'b', start), 'c', hoursLater(1));
    const thrice = rotate(twice, 'd', hoursLater(23));
    expect(signingSecrets(thrice, hoursLater(23.9))).toEqual(['d', 'c', 'b', 'a']);
    expect(signingSecrets(thrice, hoursLater(24))).toEqual(['d', 'c', 'b']);
    expect(signingSecrets(thrice, hoursLater(25))).toEqual(['d', 'c']);
    expect(signingSecrets(thrice, hoursLater(47))).toEqual(['d']);
  });

  it('is forgotten by the first rotation after its time', () => {
    const secrets = rotate(rotate(fresh, 'b', start), 'c', hoursLater(24));
    expect(secrets.previousSecrets).toEqual([{ sealed: 'b', until: hoursLater(48) }]);
  });

  it('is not pushed out: there is room again when the oldest has ended', () => {
    let secrets = fresh;
    for (let count = 1; count < maxSigningSecrets; count += 1)
      secrets = rotate(secrets, `s${count}`, hoursLater(count / 10));
    expect(signingSecrets(secrets, hoursLater(1))).toHaveLength(maxSigningSecrets);
    expect(rotated(secrets, 'x', hoursLater(1))).toEqual(hoursLater(24.1));
    expect(signingSecrets(rotate(secrets, 'x', hoursLater(24.1)), hoursLater(24.1))).toHaveLength(maxSigningSecrets);
  });
});
