import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { useWorld } from '../deliveries/emitting.ts';
import { newWebhook } from '../deliveries/world.ts';

const using = useWorld();

/** A rotation of the service secret, as a new container sees it. */
function rotate(): void {
  const { current: previous } = JSON.parse(readFileSync(using.world.secretFile, 'utf8'));
  writeFileSync(using.world.secretFile, JSON.stringify({ current: randomBytes(32).toString('base64url'), previous }));
  jest.resetModules();
}

const load = async () => ({
  ...(await import('../../../../shared/services/webhooks/reseal.ts')),
  ...(await import('../../../../shared/services/webhooks/shown.ts')),
  ...(await import('../../../../shared/store/webhook/webhooks.ts')),
});

describe('resealWebhooks', () => {
  it('lets the service secret be rotated again and again', async () => {
    const { workspaceId, webhookId, secret } = await newWebhook({ url: using.receiver.url });
    for (let rotation = 0; rotation < 3; rotation += 1) {
      rotate();
      const { resealWebhooks, getWebhook, shownWebhookWithSecret } = await load();
      expect(await resealWebhooks(workspaceId, new Date())).toBe(1);
      const webhook = await getWebhook({ workspaceId, webhookId });
      expect(webhook && (await shownWebhookWithSecret(webhook))).toMatchObject({ secret });
    }
    rotate();
    rotate();
    const { getWebhook, shownWebhookWithSecret } = await load();
    const webhook = await getWebhook({ workspaceId, webhookId });
    await expect(webhook && shownWebhookWithSecret(webhook)).rejects.toThrow(/could not be opened/);
  });
});
