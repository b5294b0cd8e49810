import { readFileSync } from 'node:fs';
import { type AttributeValue, BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Person } from '../../../../shared/domain/person/subscriber.ts';
import { ruleSubjects } from '../../../../shared/domain/segment/ruleSubjects.ts';
import { matches } from '../../../../shared/domain/segment/segment.ts';
import { startTestTable } from '../testTable.ts';

/** Every item that release 1.0.0 wrote of eleven addresses, two segments and the platform's list. */
const records: Record<string, AttributeValue>[] = JSON.parse(
  readFileSync(new URL('../../../fixtures/records/people.json', import.meta.url), 'utf8'),
);
const workspaceId = 'ws_019db1a2e3f070008000000000000001';
const now = new Date('2026-11-21T10:00:00Z');

let table: Awaited<ReturnType<typeof startTestTable>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [people, pages, search, segments, audience, suppression, platform, due, windows] = await Promise.all([
    import('../../../../shared/store/person/people.ts'),
    import('../../../../shared/store/person/subscriberPages.ts'),
    import('../../../../shared/store/person/subscriberSearch.ts'),
    import('../../../../shared/store/workspace/segments.ts'),
    import('../../../../shared/store/person/audience.ts'),
    import('../../../../shared/store/suppression/suppression.ts'),
    import('../../../../shared/store/suppression/platformSuppression.ts'),
    import('../../../../shared/store/person/dueConfirmations.ts'),
    import('../../../../shared/store/person/signUpWindows.ts'),
  ]);
  return { ...people, ...pages, ...search, ...segments, ...audience, ...suppression, ...platform, ...due, ...windows };
}

beforeAll(async () => {
  table = await startTestTable();
  const client = new DynamoDBClient({});
  for (let start = 0; start < records.length; start += 25) {
    const test = records.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { test } }));
  }
  client.destroy();
  modules = await load();
});
afterAll(() => table.stop());

const addressesOf = async (pages: AsyncIterable<{ email: string }[]>[]) => {
  const found: string[] = [];
  for (const shard of pages) for await (const page of shard) found.push(...page.map(({ email }) => email));
  return found.sort();
};

const personOf = async (name: string): Promise<Person> => {
  const { person } = await modules.getAddress(workspaceId, `${name}@example.net`);
  return person;
};

describe('people as the release before stored them', () => {
  it('are read with all that was said of them', async () => {
    expect(await personOf('ada.lovelace')).toEqual({
      workspaceId,
      email: 'ada.lovelace@example.net',
      version: 1,
      preferences: { isUntracked: false, leftTags: [] },
      subscriber: {
        status: 'subscribed',
        firstName: 'Ada',
        lastName: 'Lovelace',
        tags: ['vip', 'News'],
        fields: { city: 'London', age: 36, member: true, constructor: 'own' },
        createdAt: '2026-11-20T10:01:00.000Z',
        updatedAt: '2026-11-20T10:01:00.000Z',
        confirmedAt: null,
        unsubscribedAt: null,
      },
      suppression: null,
      confirmation: null,
    });
  });

  it.each([
    ['bare', 'subscribed', null],
    ['confirmed', 'subscribed', null],
    ['left', 'unsubscribed', 'unsubscribe'],
    ['bounced', 'bounced', 'bounce'],
    ['complained', 'complained', 'complaint'],
    ['blocked', undefined, 'manual'],
    ['platform', 'subscribed', null],
  ])('%s is %s, suppressed for %s', async (name, status, reason) => {
    const { subscriber, suppression } = await personOf(name);
    expect([subscriber?.status, suppression?.reason ?? null]).toEqual([status, reason]);
  });

  it('keep what is open of their confirmation', async () => {
    const [pending, claimed, asked] = await Promise.all(['pending', 'claimed', 'asked'].map(personOf));
    expect(pending?.confirmation).toMatchObject({ round: 1, claimedAt: null, sentAt: null });
    expect(pending?.confirmation?.dueAt).toBe('2026-11-20T10:06:00.000Z');
    expect(claimed?.confirmation).toMatchObject({ claimedAt: '2026-11-20T10:05:00.000Z', sentAt: null });
    expect(asked?.confirmation).toMatchObject({ sentAt: '2026-11-20T10:08:00.000Z', dueAt: null });
    const due = await modules.listDueConfirmations(now, 10);
    expect(due.map(({ email }) => email).sort()).toEqual(['claimed@example.net', 'pending@example.net']);
  });

  it('are listed and found', async () => {
    const { entries } = await modules.pageOfSubscribers(workspaceId, { limit: 100 });
    expect(entries).toHaveLength(10);
    const found = await modules.searchSubscribers(workspaceId, 'lovelace', { limit: 10 });
    expect(found.entries.map(({ person }) => person.email)).toEqual(['ada.lovelace@example.net']);
  });

  it('are reached by a campaign, to a segment as well', async () => {
    expect(await addressesOf(modules.memberPages(workspaceId, ruleSubjects(null)))).toEqual([
      'ada.lovelace@example.net',
      'bare@example.net',
      'confirmed@example.net',
      'platform@example.net',
    ]);
    const [vips] = await modules.listSegments(workspaceId);
    if (!vips) throw new Error('There is no segment.');
    const { subscriber } = await personOf('ada.lovelace');
    expect(subscriber && matches(vips.rule, subscriber, now)).toBe(true);
  });

  it('are on the lists that suppress them', async () => {
    const { entries } = await modules.pageOfSuppressions(workspaceId, { limit: 10 });
    expect(entries.map(({ reason }) => reason)).toEqual(['manual', 'complaint', 'bounce', 'unsubscribe']);
    expect((await modules.findPlatformSuppressed(['platform@example.net'])).size).toBe(1);
    expect((await modules.getAddress(workspaceId, 'platform@example.net')).platform).toEqual({
      email: 'platform@example.net',
      reason: 'manual',
      scope: 'platform',
      createdAt: '2026-11-20T10:19:00.000Z',
    });
  });

  it('are found by hash as well once the sweeper has been there, and what is taken off the list is so for both', async () => {
    const { mirrorPlatform } = await import('../../../../shared/services/sweep/mirrorPlatform.ts');
    const { deletePlatformSuppression, putPlatformSuppression } = modules;
    const standing = async (email: string) =>
      (await modules.findSuppressions(workspaceId, [email])).map(({ reason, scope }) => `${scope}: ${reason}`);
    expect(await standing('platform@example.net')).toEqual(['platform: manual']);
    await mirrorPlatform(now);
    await mirrorPlatform(now);
    expect(await standing('platform@example.net')).toEqual(['platform: manual']);
    expect((await modules.findPlatformSuppressed(['platform@example.net', 'new@example.net'])).size).toBe(1);
    expect(await putPlatformSuppression('platform@example.net', 'bounce', now)).toBe(true);
    expect(await putPlatformSuppression('platform@example.net', 'manual', now)).toBe(false);
    expect(await standing('platform@example.net')).toEqual(['platform: bounce']);
    expect(await deletePlatformSuppression('platform@example.net')).toMatchObject({ reason: 'bounce' });
    expect(await deletePlatformSuppression('platform@example.net')).toBeNull();
    expect(await standing('platform@example.net')).toEqual([]);
    await putPlatformSuppression('platform@example.net', 'manual', new Date('2026-11-20T10:19:00.000Z'));
  });

  it('are changed as if this release had stored them: their terms go with them', async () => {
    const before = await personOf('confirmed');
    expect(await modules.savePerson(before, { ...before, subscriber: null }, [])).toBe(true);
    const { entries, next } = await modules.searchSubscribers(workspaceId, 'neill', { limit: 10 });
    expect([entries, next]).toEqual([[], null]);
    expect(await personOf('confirmed')).toMatchObject({ version: 0, subscriber: null });
  });

  it('have the segments that were made of them, the oldest first', async () => {
    const segments = await modules.listSegments(workspaceId);
    expect(segments.map(({ name }) => name)).toEqual(['London VIPs', 'Everybody named']);
    expect(await modules.getSegment(workspaceId, segments[1]?.id ?? '')).toEqual(segments[1]);
    expect(segments[1]?.rule).toEqual({ name: 'firstName', operator: 'exists' });
  });

  it('have used up what they used up of the public form', async () => {
    const subject = `${workspaceId}#SOURCE#192.0.2.1`;
    const { count } = await modules.countSignUp(subject, 3600, new Date('2026-11-20T10:30:00Z'));
    expect(count).toBe(2);
  });
});
