import { createId } from '../../../shared/domain/identifier.ts';
import { startTestTable } from '../store/testTable.ts';
import { operatorContext } from './context.ts';

let stop: () => Promise<void>;
let verbs: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../shared/services/topics.ts')),
  ...(await import('../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../shared/store/workspace/workspaces.ts')),
});

beforeAll(async () => {
  ({ stop } = await startTestTable());
  verbs = await load();
});
afterAll(() => stop());

/** A workspace of its own for each test. */
async function newContext() {
  const made = await verbs.createWorkspace(operatorContext(), { name: 'Acme', plan: 'free', language: 'en' });
  return operatorContext(made.id);
}
const codeOf = (error: unknown) => (error as { code?: string }).code;

describe('creating a topic', () => {
  it('makes a tag of its name, and refuses a tag that is a topic', async () => {
    const context = await newContext();
    const cafe = await verbs.createTopic(context, { name: 'Café & news!' });
    expect(cafe).toMatchObject({ object: 'topic', tag: 'topic:cafe-news', description: null });
    const japanese = await verbs.createTopic(context, { name: 'ニュース', description: 'Weekly.' });
    expect(japanese).toMatchObject({ tag: expect.stringMatching(/^topic:[0-9a-z]{26}$/), description: 'Weekly.' });
    for (const again of [{ name: 'cafe news' }, { name: 'Other', tag: 'topic:cafe-news' }]) {
      await expect(verbs.createTopic(context, again)).rejects.toMatchObject({ code: 'conflict' });
    }
    const wrong = { name: ' ', tag: 'news', description: 'two\nlines' };
    await expect(verbs.createTopic(context, wrong)).rejects.toMatchObject({
      issues: [{ path: 'tag' }, { path: 'name' }, { path: 'description' }].map((issue) =>
        expect.objectContaining(issue),
      ),
    });
    expect((await verbs.listTopics(context)).entries).toEqual([japanese, cafe]);
  });

  it('makes 20 of 25 at once and loses none of them, and one of five with the same tag', async () => {
    const context = await newContext();
    const create = (name: string) => verbs.createTopic(context, { name }).then(() => 'created', codeOf);
    const same = await Promise.all([1, 2, 3, 4, 5].map(() => create('Same')));
    expect(same.sort()).toEqual(['conflict', 'conflict', 'conflict', 'conflict', 'created']);
    const outcomes = await Promise.all(Array.from({ length: 24 }, (_, index) => create(`Topic ${index}`)));
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(19);
    expect(outcomes.filter((outcome) => outcome === 'conflict')).toHaveLength(5);
    expect((await verbs.listTopics(context)).entries).toHaveLength(20);
  });

  it('again under the Idempotency-Key of a call that crashed finds the topic of that call, and only that', async () => {
    const context = await newContext();
    const reserving = (reservedId: string) => ({ ...context, reservedId });
    const [first, second] = [createId('email', new Date(1_700_000_000_000)), createId('email', new Date())];
    const made = await verbs.createTopic(reserving(first), { name: 'News' });
    const later = { ...reserving(first), now: new Date(context.now.getTime() + 60_000) };
    expect(await verbs.createTopic(later, { name: 'News' })).toEqual(made);
    await expect(verbs.createTopic(reserving(second), { name: 'News' })).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('a topic', () => {
  it('of an earlier release has the id of its tag, and keeps tag and id when it is changed', async () => {
    const context = await newContext();
    await verbs.updateSettings(context.workspaceId, { kinds: [{ tag: 'category:news', name: 'News' }] });
    const [old] = (await verbs.listTopics(context)).entries;
    if (!old) throw new Error('There is one.');
    expect(old.id).toMatch(/^top_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
    const described = await verbs.editTopic(context, { id: old.id, name: 'Newsletter', description: 'Weekly.' });
    expect(described).toEqual({ ...old, name: 'Newsletter', description: 'Weekly.' });
    const renamed = await verbs.setTopic(context, { tag: 'category:news', name: 'News' });
    expect(renamed).toEqual({ ...old, description: 'Weekly.' });
    expect(await verbs.editTopic(context, { id: old.id, description: null })).toEqual(old);
    expect(await verbs.showTopic(context, { id: old.id })).toEqual(old);
  });

  it('is found by an API key by its id alone, in its own workspace', async () => {
    const [own, other] = [await newContext(), await newContext()];
    const { id, tag } = await verbs.createTopic(own, { name: 'News' });
    await verbs.createTopic(other, { name: 'News' });
    const key = { kind: 'key', keyId: 'key_1', keyName: 'Site', lastFour: 'abcd', scopes: [] } as const;
    const byKey = (context: typeof own) => ({ ...context, actor: key });
    expect(await verbs.showTopic(byKey(own), { id })).toMatchObject({ tag });
    await expect(verbs.showTopic(byKey(own), { id: tag })).rejects.toMatchObject({ code: 'not_found' });
    await expect(verbs.showTopic(byKey(other), { id })).rejects.toMatchObject({ code: 'not_found' });
    await expect(verbs.deleteTopic(byKey(other), { id })).rejects.toMatchObject({ code: 'not_found' });
    expect((await verbs.listTopics(own, { limit: 1, after: id })).entries).toEqual([]);
    await expect(verbs.listTopics(own, { limit: 1, after: 'top_x' })).rejects.toMatchObject({
      code: 'validation_error',
    });
  });
});
