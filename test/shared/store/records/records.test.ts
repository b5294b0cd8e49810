import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../infra/local/processes.ts';
import { fillTable, type StoredItem, storedItems } from '../tableItems.ts';
import { startTestTable } from '../testTable.ts';
import type { RecordKind } from './recordKind.ts';

/**
 * Every kind of stored record, as a release wrote it, is read by the present code with all its attributes, and the
 * present code still writes it in the same way. After a change of what is stored, WRITE_RECORDS=1 writes the fixtures
 * anew: look at the difference, since records of this form are in tables that outlive the change.
 */
const [table, folder] = await Promise.all([startTestTable(), temporaryFolder()]);
process.env.SERVICE_SECRET_FILE = join(folder.path, 'secret.json');
writeFileSync(process.env.SERVICE_SECRET_FILE, JSON.stringify({ current: 'records-0123456789abcdef0123456789abcdef' }));
const [
  { peopleKinds },
  { sendingKinds },
  { campaignKinds },
  { webhookKinds },
  { workspaceKinds },
  { automationKinds },
] = await Promise.all([
  import('./people.ts'),
  import('./sending.ts'),
  import('./campaigns.ts'),
  import('./webhooks.ts'),
  import('./workspaces.ts'),
  import('./automations.ts'),
]);
const groups: Readonly<Record<string, readonly RecordKind[]>> = {
  people: peopleKinds,
  sending: sendingKinds,
  campaigns: campaignKinds,
  webhooks: webhookKinds,
  workspaces: workspaceKinds,
  automations: automationKinds,
};
const kinds = Object.entries(groups).flatMap(([group, kinds]) => kinds.map((kind) => ({ group, ...kind })));

afterAll(() => Promise.all([table.stop(), folder.remove()]));

const fileOf = (group: string) => new URL(`../../../fixtures/records/${group}.json`, import.meta.url);
const fixtures: Record<string, Record<string, StoredItem[]>> = Object.fromEntries(
  Object.keys(groups).map((group) => [group, read(group)]),
);

function read(group: string) {
  return process.env.WRITE_RECORDS ? {} : JSON.parse(readFileSync(fileOf(group), 'utf8'));
}

/** A record as its fixture holds it: bytes in base64; attributes and members of sets in order. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    /^[NS]S$/.test(name) ? one.toSorted() : plain(one),
  ]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const stored = (record: StoredItem): StoredItem =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      value.B ? { B: Buffer.from(String(value.B), 'base64') } : value,
    ]),
  );

/** In the order of their keys; of a random value nothing but its type. */
function comparable(items: readonly unknown[], random: readonly string[] = []) {
  const lines = items.map((item) =>
    Object.entries(plain(item) as StoredItem).map(([name, value]) => [
      name,
      random.includes(name) ? Object.keys(value) : value,
    ]),
  );
  return lines.map((line) => JSON.stringify(Object.fromEntries(line))).sort();
}

describe('the record of', () => {
  it.each(kinds)('$group: $name is written as it always was', async ({ group, name, write, random }) => {
    await fillTable([]);
    await write();
    const items = await storedItems();
    if (process.env.WRITE_RECORDS)
      fixtures[group] = { ...fixtures[group], [name]: items.map((item) => plain(item) as StoredItem) };
    expect(comparable(items, random)).toEqual(comparable(fixtures[group]?.[name] ?? [], random));
  });

  it.each(kinds)('$group: $name is read with all that it says', async ({ group, name, read: readRecord, expected }) => {
    await fillTable((fixtures[group]?.[name] ?? []).map(stored));
    expect(await readRecord()).toEqual(expected);
  });
});

/** Releases whose records are in tables somewhere: their fixtures never change. A new one is a copy of the present files. */
const releases = readdirSync(new URL('../../../fixtures/records/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** The records of a group in a release; none of a group that is newer than the release. */
function readOf(release: string, group: string): Record<string, StoredItem[]> {
  const file = fileOf(`${release}/${group}`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

describe.each(releases)('a record of release %s', (release) => {
  const released = kinds.flatMap((kind) => {
    const items = readOf(release, kind.group)[kind.name];
    return items ? [{ ...kind, items }] : [];
  });

  it.each(released)(
    '$group: $name is read with all that it says',
    async ({ items, read: readRecord, expected, readAs }) => {
      await fillTable(items.map(stored));
      expect(await readRecord()).toEqual(readAs?.[release] ?? expected);
    },
  );

  it('is of a kind that is still known', () => {
    const names = Object.keys(groups).flatMap((group) => Object.keys(readOf(release, group)));
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !kinds.some((kind) => kind.name === name))).toEqual([]);
  });
});

describe('the kinds of records', () => {
  it('cover every key of the table', async () => {
    const keys = await import('../../../../shared/store/table/keys.ts');
    const covered = new Set<string>(kinds.flatMap(({ keys }) => keys));
    // Nothing is ever written under the key that a health check reads.
    const named = Object.keys(keys).filter((name) => name.endsWith('Key') && name !== 'healthKey');
    expect(named.filter((name) => !covered.has(name))).toEqual([]);
  });
});

if (process.env.WRITE_RECORDS) {
  afterAll(() => {
    for (const [group, records] of Object.entries(fixtures)) {
      const lists = Object.entries(records).map(
        ([name, items]) => `  ${JSON.stringify(name)}: [\n    ${comparable(items).join(',\n    ')}\n  ]`,
      );
      writeFileSync(fileOf(group), `{\n${lists.join(',\n')}\n}\n`);
    }
  });
}
