import Stripe from 'stripe';
import { signWebhook, verifyWebhook } from '../../../../shared/domain/webhook/webhookSignature.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = '{"id":"evt_1","data":{"name":"Éloïse"}}';
const timestampSeconds = 1_795_219_200;
const header = signWebhook({ secrets: [secret], timestampSeconds, body });
const received = { header, body, secret, nowSeconds: timestampSeconds };

describe('signWebhook', () => {
  it('has the form of the contract: a time and lower-case hexadecimal', () => {
    expect(header).toMatch(/^t=1795219200,v1=[0-9a-f]{64}$/);
  });

  it('signs with each secret while one is being rotated', () => {
    const rotating = signWebhook({ secrets: ['whsec_new', secret], timestampSeconds, body });
    expect(rotating).toMatch(/^t=1795219200,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    expect(verifyWebhook({ ...received, header: rotating })).toBe(true);
    expect(verifyWebhook({ ...received, header: rotating, secret: 'whsec_new' })).toBe(true);
  });

  it('signs bytes as it signs their text', () => {
    expect(signWebhook({ secrets: [secret], timestampSeconds, body: Buffer.from(body) })).toBe(header);
  });
});

describe('verifyWebhook', () => {
  it.each([
    ['the time itself', timestampSeconds, true],
    ['300 seconds later', timestampSeconds + 300, true],
    ['301 seconds later', timestampSeconds + 301, false],
  ])('at %s', (_, nowSeconds, expected) => {
    expect(verifyWebhook({ ...received, nowSeconds })).toBe(expected);
  });

  it('refuses another body, another time, another secret', () => {
    expect(verifyWebhook({ ...received, body: body.replace('1', '2') })).toBe(false);
    expect(verifyWebhook({ ...received, header: header.replace('t=1795219200', 't=1795219201') })).toBe(false);
    expect(verifyWebhook({ ...received, secret: `${secret}x` })).toBe(false);
  });

  it.each([
    ...['', 't=', 'v1=', 't=1795219200', header.replace('v1', 'v0'), header.slice(0, -1), `${header}0`],
    ...[header.replace('t=1795219200', 't=NaN'), header.replace('t=1795219200,', ''), `t=99999999999999,${header}`],
  ])('refuses the header %j', (malformed) => {
    expect(verifyWebhook({ ...received, header: malformed })).toBe(false);
  });
});

describe('the verifier of Stripe, whose header has the same form', () => {
  const { webhooks } = Stripe;
  const construct = (payload: string | Buffer, value: string, key: string) =>
    webhooks.constructEvent(payload, value, key, 300, undefined, timestampSeconds * 1000);

  it('accepts ours', () => {
    expect(construct(body, header, secret)).toEqual(JSON.parse(body));
    const rotating = signWebhook({ secrets: ['whsec_new', secret], timestampSeconds, body });
    expect(construct(Buffer.from(body), rotating, secret)).toEqual(JSON.parse(body));
  });

  it('refuses a changed byte of the body, the time or the secret', () => {
    expect(() => construct(body.replace('evt_1', 'evt_2'), header, secret)).toThrow(/signature/i);
    expect(() => construct(body, header.replace('t=17', 't=16'), secret)).toThrow(/signature|tolerance/i);
    expect(() => construct(body, header, secret.replace('M', 'N'))).toThrow(/signature/i);
  });
});
