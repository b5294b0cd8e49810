import { randomUUID } from 'node:crypto';
import type { Call } from '../load.ts';
import type { BenchService } from '../service.ts';

/** Makes the call that sends the next email. */
export type Sender = () => Call;

let sent = 0;

/** Receipts, each to a new person, from the seeded workspace; `isKeyed`: each with an `Idempotency-Key` of its own. */
export function senderOf(service: BenchService, { isKeyed = false } = {}): Sender {
  const headers = { Authorization: `Bearer ${service.dev.api_key}`, 'Content-Type': 'application/json' };
  return () => ({
    method: 'POST',
    url: `${service.dev.base_url}/api/v1/emails`,
    headers: isKeyed ? { ...headers, 'Idempotency-Key': randomUUID() } : headers,
    body: JSON.stringify({
      from: 'Acme <hello@example.com>',
      to: `bench${sent++}@example.net`,
      subject: 'Your receipt',
      html: '<h1>Thank you</h1><p>Your order is <a href="https://example.com/orders/1">on its way</a>.</p>',
      text: 'Thank you. Your order is on its way.',
    }),
  });
}

/** The seeded workspace may send 3,000 emails a month: the bench needs the largest plan. */
export async function scaleWorkspace(service: BenchService): Promise<void> {
  Object.assign(process.env, service.runtime.environment);
  const { updateSettings } = await import('../../../shared/store/workspace/workspaces.ts');
  await updateSettings(service.dev.workspace_id, { plan: 'scale' });
}
