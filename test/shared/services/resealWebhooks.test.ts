import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { contextOf, operatorContext } from './context.ts';
import { useWorld } from './webhooks/emitting.ts';
import { newWebhook } from './webhooks/world.ts';

const using = useWorld();

/** A rotation of the service secret, as a new container sees it. */
function rotate(): void {
  const { current: previous } = JSON.parse(readFileSync(using.world.secretFile, 'utf8'));
  writeFileSync(using.world.secretFile, JSON.stringify({ current: randomBytes(32).toString('base64url'), previous }));
  jest.resetModules();
}

const load = async () => ({
  ...(await import('../../../shared/services/serviceSecret.ts')),
  ...(await import('../../../shared/services/webhooks/webhooks.ts')),
  ...(await import('../../../shared/store/webhook/webhooks.ts')),
});

describe('resealWebhooks', () => {
  it('allows any number of rotations of the service secret', async () => {
    const { workspaceId, webhookId, secret } = await newWebhook({ url: using.receiver.url });
    for (let rotation = 0; rotation < 3; rotation += 1) {
      rotate();
      const { resealWebhooks, getWebhook, shownWebhookWithSecret } = await load();
      expect(await resealWebhooks(operatorContext(workspaceId))).toBe(1);
      const webhook = await getWebhook({ workspaceId, webhookId });
      expect(webhook && (await shownWebhookWithSecret(webhook))).toMatchObject({ secret });
    }
    rotate();
    rotate();
    const { getWebhook, shownWebhookWithSecret } = await load();
    const webhook = await getWebhook({ workspaceId, webhookId });
    await expect(webhook && shownWebhookWithSecret(webhook)).rejects.toThrow(/could not be opened/);
  });

  it('reseals previous secrets that still sign, and drops those that have ended', async () => {
    const { webhook, workspaceId, webhookId } = await newWebhook({ url: using.receiver.url });
    const { updateWebhook } = await import('../../../shared/services/webhooks/webhooks.ts');
    const rotateAt = (hours: number) =>
      updateWebhook(
        { ...contextOf(workspaceId), now: new Date(Date.now() + hours * 3_600_000) },
        { id: webhookId, rotate_secret: true },
      );
    for (const hours of [-30, -2, -1]) await rotateAt(hours);
    rotate();
    const { resealWebhooks, getWebhook } = await load();
    await resealWebhooks(operatorContext(workspaceId));
    rotate();
    const { openWebhookSecret } = await import('../../../shared/store/webhook/webhookSecret.ts');
    const sealed = await getWebhook(webhook);
    const { previousSecrets = [] } = sealed ?? {};
    expect(previousSecrets).toHaveLength(2);
    const opened = await Promise.all(previousSecrets.map((previous) => openWebhookSecret(previous.sealed, webhook)));
    expect(new Set(opened).size).toBe(2);
  });

  it('loses no secret to a concurrent rotation', async () => {
    const { webhook, workspaceId, webhookId, secret } = await newWebhook({ url: using.receiver.url });
    rotate();
    const { resealWebhooks, getWebhook } = await load();
    const { updateWebhook } = await import('../../../shared/services/webhooks/webhooks.ts');
    const rotation = () => updateWebhook(contextOf(workspaceId), { id: webhookId, rotate_secret: true });
    await Promise.allSettled([resealWebhooks(operatorContext(workspaceId)), rotation(), rotation()]);
    rotate();
    const { openWebhookSecret } = await import('../../../shared/store/webhook/webhookSecret.ts');
    const { secret: current = '', previousSecrets = [] } = (await getWebhook(webhook)) ?? {};
    const all = [current, ...previousSecrets.map(({ sealed }) => sealed)];
    const opened = await Promise.all(all.map((sealed) => openWebhookSecret(sealed, webhook)));
    expect(opened.at(-1)).toBe(secret);
  });
});
