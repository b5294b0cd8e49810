import Stripe from 'stripe';

interface ReceivedRequest {
  readonly header: string;
  readonly body: string | Buffer;
  readonly secret: string;
  readonly nowSeconds: number;
}

/** Whether a receiver takes a request for genuine, by the verifier of Stripe: its header has the same form. */
export function verifyWebhook({ header, body, secret, nowSeconds }: ReceivedRequest): boolean {
  try {
    Stripe.webhooks.constructEvent(body, header, secret, 300, undefined, Math.floor(nowSeconds) * 1000);
    return true;
  } catch {
    return false;
  }
}
