import { contextOf } from '../context.ts';
import { modules, useWorld } from './emitting.ts';
import { newWebhook } from './world.ts';

const using = useWorld();

/** A webhook and a call that rotates its secret. */
async function rotating() {
  const { updateWebhook } = await import('../../../../shared/services/webhooks/webhooks.ts');
  const { webhook, workspaceId, webhookId: id } = await newWebhook({ url: using.receiver.url });
  const rotate = (now = new Date()) => updateWebhook({ ...contextOf(workspaceId), now }, { id, rotate_secret: true });
  return { webhook, rotate };
}

describe('PATCH /webhooks/{id} with rotate_secret', () => {
  it('loses no secret in two concurrent calls: one of them is refused', async () => {
    const { getWebhook } = await modules();
    const { webhook, rotate } = await rotating();
    const results = await Promise.allSettled([rotate(), rotate()]);
    const refused = results.filter((result) => result.status === 'rejected');
    const after = await getWebhook(webhook);
    expect(after?.previousSecrets.at(-1)?.sealed).toBe(webhook.secret);
    expect(after?.previousSecrets).toHaveLength(2 - refused.length);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ code: 'conflict', details: { status: 'rotated' } });
  });

  it('409 when ten secrets are valid, until the first of them has ended', async () => {
    const { getWebhook } = await modules();
    const { webhook, rotate } = await rotating();
    const start = Date.now();
    const at = (hours: number) => new Date(start + hours * 3_600_000);
    for (let hour = 0; hour < 9; hour += 1) await rotate(at(hour));
    await expect(rotate(at(9))).rejects.toMatchObject({
      code: 'conflict',
      details: { status: 'too_many_rotations' },
      retryAfterSeconds: 15 * 3600,
    });
    const before = await getWebhook(webhook);
    expect(before?.previousSecrets).toHaveLength(9);
    expect(before?.previousSecrets.at(-1)).toEqual({ sealed: webhook.secret, until: at(24) });
    await rotate(at(24));
    expect((await getWebhook(webhook))?.previousSecrets.at(-1)?.until).toEqual(at(25));
  });
});
