import Stripe from 'stripe';
import {
  maxSigningSecrets,
  rotatedSecrets,
  signingSecrets,
  signWebhook,
} from '../../../../shared/domain/webhook/signature.ts';
import type { WebhookSecrets } from '../../../../shared/domain/webhook/webhook.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"id":"evt_1","data":{"name":"Éloïse"}}';
const timestampSeconds = 1_795_219_200;
const header = signWebhook({ secrets: [secret], timestampSeconds, body });

describe('signWebhook', () => {
  it('has the form of the contract: a time and lower-case hexadecimal', () => {
    expect(header).toMatch(/^t=1795219200,v1=[0-9a-f]{64}$/);
  });

  it('signs with each valid secret after a rotation', () => {
    const rotating = signWebhook({ secrets: ['whsec_new', secret], timestampSeconds, body });
    expect(rotating).toMatch(/^t=1795219200,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  });

  it('signs bytes as it signs their text', () => {
    expect(signWebhook({ secrets: [secret], timestampSeconds, body: Buffer.from(body) })).toBe(header);
  });
});

describe('the verifier of Stripe, whose header has the same form', () => {
  const { webhooks } = Stripe;
  const construct = (payload: string | Buffer, value: string, key: string) =>
    webhooks.constructEvent(payload, value, key, 300, undefined, timestampSeconds * 1000);

  it('accepts ours', () => {
    expect(construct(body, header, secret)).toEqual(JSON.parse(body));
    const rotating = signWebhook({ secrets: ['whsec_new', secret], timestampSeconds, body });
    for (const one of [secret, 'whsec_new']) {
      expect(construct(Buffer.from(body), rotating, one)).toEqual(JSON.parse(body));
    }
  });

  it('refuses a changed byte of the body, the time or the secret', () => {
    expect(() => construct(body.replace('evt_1', 'evt_2'), header, secret)).toThrow(/signature/i);
    expect(() => construct(body, header.replace('t=17', 't=16'), secret)).toThrow(/signature|tolerance/i);
    expect(() => construct(body, header, secret.replace('M', 'N'))).toThrow(/signature/i);
  });
});

const start = new Date('2026-11-21T10:00:00.000Z');
const hoursLater = (hours: number) => new Date(start.getTime() + hours * 3_600_000);

/** The secrets after a rotation that is expected to be possible. */
function rotate(current: WebhookSecrets, sealed: string, now: Date): WebhookSecrets {
  const secrets = rotatedSecrets(current, sealed, now);
  if (secrets instanceof Date) throw new Error(`No room before ${secrets.toISOString()}.`);
  return secrets;
}

const fresh: WebhookSecrets = { secret: 'a', previousSecrets: [] };

describe('a rotated secret', () => {
  it('signs for 24 hours together with its successor', () => {
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

  it('is removed by the first rotation after its end', () => {
    const secrets = rotate(rotate(fresh, 'b', start), 'c', hoursLater(24));
    expect(secrets.previousSecrets).toEqual([{ sealed: 'b', until: hoursLater(48) }]);
  });

  it('is never replaced before its end: a further rotation is possible when the oldest has ended', () => {
    let secrets = fresh;
    for (let count = 1; count < maxSigningSecrets; count += 1)
      secrets = rotate(secrets, `s${count}`, hoursLater(count / 10));
    expect(signingSecrets(secrets, hoursLater(1))).toHaveLength(maxSigningSecrets);
    expect(rotatedSecrets(secrets, 'x', hoursLater(1))).toEqual(hoursLater(24.1));
    expect(signingSecrets(rotate(secrets, 'x', hoursLater(24.1)), hoursLater(24.1))).toHaveLength(maxSigningSecrets);
  });
});
