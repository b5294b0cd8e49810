import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { jest } from '@jest/globals';
import { verifyWebhook } from '../../acceptance/webhooks/verifyWebhook.ts';
import { operatorContext } from './context.ts';
import { emitted, useWorld } from './webhooks/emitting.ts';

process.env.PUBLIC_URL = 'https://mail.example.com';
const using = useWorld();
const now = new Date();
const subject = { workspaceId: 'ws_1', email: 'ada@example.net', confirmationId: 'c1' };
const scope = { workspaceId: 'ws_1', list: 'emails', filters: {} };

/** The modules as a new container loads them. */
async function container() {
  jest.resetModules();
  return {
    ...(await import('../../../shared/services/serviceSecret.ts')),
    ...(await import('../../../shared/platform/secretRotation.ts')),
    ...(await import('../../../shared/services/links.ts')),
    ...(await import('../../../shared/http/paged.ts')),
    ...(await import('../../../shared/services/webhooks/handleWebhookMessage.ts')),
  };
}

const stored = () => JSON.parse(readFileSync(using.world.secretFile, 'utf8'));

describe('rotating the service secret three times', () => {
  it('keeps links and confirmations of every generation valid, and cursors of the last one', async () => {
    const made = [];
    for (let rotation = 0; rotation <= 3; rotation += 1) {
      const { createLinkToken, encodeCursor, rotateSecret } = await container();
      made.push({
        unsubscribe: await createLinkToken('unsubscribe', subject, now),
        confirm: await createLinkToken('confirm', subject, now),
        cursor: (await encodeCursor(scope, 'here')) ?? '',
      });
      if (rotation < 3) {
        expect(await rotateSecret(operatorContext())).toMatchObject({ earlier_secrets: rotation + 1 });
      }
    }
    const { readLink, decodeCursor } = await container();
    for (const { unsubscribe, confirm } of made) {
      expect(await readLink('unsubscribe', unsubscribe, now)).toMatchObject({
        ok: true,
        link: { email: subject.email },
      });
      expect(await readLink('confirm', confirm, now)).toMatchObject({ ok: true, link: { confirmationId: 'c1' } });
    }
    expect(new Set(made.map(({ unsubscribe }) => unsubscribe)).size).toBe(4);
    const cursors = made.map(({ cursor }) => decodeCursor(scope, cursor).catch(({ code }) => code));
    expect(await Promise.all(cursors)).toEqual(['validation_error', 'validation_error', 'here', 'here']);
  });

  it('keeps webhooks signing with the secret that their receiver knows, resealed or not', async () => {
    const { message, secret, workspaceId } = await emitted(using.world, { url: using.receiver.url });
    for (let rotation = 0; rotation < 3; rotation += 1) {
      await (await container()).rotateSecret(operatorContext());
    }
    const { handleWebhookMessage, resealWebhooks } = await container();
    await handleWebhookMessage(message, { isRedelivered: false }, () => new Date());
    const [{ headers, body }] = using.receiver.requests as [(typeof using.receiver.requests)[0]];
    const signature = String(headers['service-signature']);
    expect(verifyWebhook({ header: signature, body, secret, nowSeconds: Date.now() / 1000 })).toBe(true);

    expect(await resealWebhooks(operatorContext(workspaceId))).toBe(1);
    writeFileSync(using.world.secretFile, JSON.stringify({ current: stored().current }));
    const { getWebhook } = await import('../../../shared/store/webhook/webhooks.ts');
    const { shownWebhookWithSecret } = await import('../../../shared/services/webhooks/webhooks.ts');
    const webhook = await getWebhook({ workspaceId, webhookId: message.webhookId });
    expect(webhook && (await shownWebhookWithSecret(webhook))).toMatchObject({ secret });
  });

  it('reads what the release before wrote, with its single previous secret', async () => {
    const former = { current: 'b'.repeat(64), previous: 'a'.repeat(64), note: 'kept' };
    writeFileSync(using.world.secretFile, JSON.stringify(former));
    const { createLinkToken } = await container();
    const link = await createLinkToken('unsubscribe', subject, now);
    await (await container()).rotateSecret(operatorContext());
    expect(stored()).toEqual({
      current: expect.stringMatching(/^[\w-]{64}$/),
      previous: [former.current, former.previous],
      note: 'kept',
    });
    expect(statSync(using.world.secretFile).mode & 0o777).toBe(0o600);
    expect(await (await container()).readLink('unsubscribe', link, now)).toMatchObject({ ok: true });
  });

  it('fails for one of two concurrent rotations, so that no secret is lost', async () => {
    const { rotateSecret, rotateStoredSecret } = await container();
    const before = stored();
    // The verb writes its audit entry first, and two of those need not end together.
    const results = await Promise.allSettled([
      rotateStoredSecret('SERVICE_SECRET'),
      rotateStoredSecret('SERVICE_SECRET'),
    ]);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    expect(stored().previous).toEqual([before.current, ...before.previous]);
    await rotateSecret(operatorContext());
    expect(stored().previous).toHaveLength(before.previous.length + 2);
  });
});

describe('a container that read the secret before the rotation', () => {
  afterEach(() => jest.useRealTimers());

  it('accepts a link that another container signed afterwards', async () => {
    const slow = await container();
    const own = await slow.createLinkToken('unsubscribe', subject, now);
    await (await container()).rotateSecret(operatorContext());
    const foreign = await (await container()).createLinkToken('unsubscribe', subject, now);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'setTimeout'], now: Date.now() + 11_000 });
    expect(await slow.readLink('unsubscribe', foreign, now)).toMatchObject({ ok: true });
    expect(await slow.readLink('unsubscribe', own, now)).toMatchObject({ ok: true });
  });
});
