import { sendEmailRequest } from '../../../../shared/contract/schemas/emailRequest.ts';
import { parseWithLoopback } from '../../../../shared/contract/schemas/fields.ts';
import { createWebhookRequest } from '../../../../shared/contract/schemas/webhook.ts';

const webhook = { url: 'http://127.0.0.1:3000/', events: ['email.delivered'] };
const email = {
  from: 'hello@example.com',
  to: 'ada@example.net',
  subject: 'Hello',
  text: 'Hello.',
  unsubscribe_url: 'http://127.0.0.1:3000/leave',
};

describe('plain http to this machine', () => {
  it.each([
    ['a webhook', createWebhookRequest, webhook],
    ['an unsubscribe address', sendEmailRequest, email],
  ])('is taken as %s on a laptop only', (_, schema, input) => {
    const parse = () => schema.safeParse(input).success;
    expect(parseWithLoopback(true, parse)).toBe(true);
    expect(parseWithLoopback(false, parse)).toBe(false);
    expect(parse()).toBe(false);
  });

  it('is refused again after a parse that threw', () => {
    const failing = () => {
      throw new Error('no parser');
    };
    expect(() => parseWithLoopback(true, failing)).toThrow('no parser');
    expect(createWebhookRequest.safeParse(webhook).success).toBe(false);
  });
});
