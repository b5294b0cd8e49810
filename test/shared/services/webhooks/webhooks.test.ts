import { contextOf } from '../context.ts';
import { useWorld } from './emitting.ts';

const using = useWorld();

const load = async () => ({
  ...(await import('../../../../shared/services/webhooks/webhooks.ts')),
  ...(await import('../../../../shared/domain/identifier.ts')),
});

/** A workspace with `count` webhooks, and a call that creates one more. */
async function workspaceWith(count: number) {
  const { createId, createWebhook } = await load();
  const context = contextOf(createId('ws', new Date()));
  const create = () =>
    createWebhook(context, { name: 'Hook', url: using.receiver.url, events: ['email.delivered'], enabled: true });
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await create()).id);
  return { context, create, ids };
}

describe('a workspace', () => {
  it('has 20 webhooks at most, and may create another when one is deleted', async () => {
    const { listWebhooks, deleteWebhook } = await load();
    const { context, create, ids } = await workspaceWith(20);
    const refusal = { code: 'validation_error', issues: [{ text: { en: expect.stringContaining('at most 20') } }] };
    await expect(create()).rejects.toMatchObject(refusal);
    expect((await listWebhooks(context, { limit: 100, after: undefined })).entries).toHaveLength(20);
    await deleteWebhook(context, { id: ids[7] ?? '' });
    await create();
    await expect(create()).rejects.toMatchObject(refusal);
  });

  it('lists its webhooks newest first, page by page, each once', async () => {
    const { listWebhooks } = await load();
    const { context, ids } = await workspaceWith(5);
    const listed: string[] = [];
    const pages: number[] = [];
    for (let after: string | undefined; ; ) {
      const { entries, next } = await listWebhooks(context, { limit: 2, after });
      listed.push(...entries.map(({ id }) => id));
      pages.push(entries.length);
      if (next === null) break;
      after = next;
    }
    expect(pages).toEqual([2, 2, 1]);
    expect(new Set(listed)).toEqual(new Set(ids));
    expect(listed).toEqual([...listed].sort().reverse());
  });

  it('ends its list with a page that is exactly full', async () => {
    const { listWebhooks } = await load();
    const { context } = await workspaceWith(4);
    const first = await listWebhooks(context, { limit: 2, after: undefined });
    const second = await listWebhooks(context, { limit: 2, after: first.next ?? '' });
    expect([second.entries.length, second.next]).toEqual([2, null]);
  });
});

describe('a deleted webhook', () => {
  it('cannot be read, changed or deleted again', async () => {
    const { getWebhook, updateWebhook, deleteWebhook } = await load();
    const { context, ids } = await workspaceWith(1);
    const input = { id: ids[0] ?? '' };
    await deleteWebhook(context, input);
    for (const call of [getWebhook, updateWebhook, deleteWebhook]) {
      await expect(call(context, input)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});
