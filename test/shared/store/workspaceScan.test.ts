import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { termKey } from '../../../shared/store/table/keys.ts';
import { startTestTable } from './testTable.ts';

let table: Awaited<ReturnType<typeof startTestTable>>;
let scan: typeof import('../../../shared/store/workspaceScan.ts');
let config: typeof import('../../../shared/platform/config.ts');

const own = [
  ['WS#ws_1', 'SETTINGS'],
  ['WS#ws_1#ADDRESS#ada@people.example', 'ADDRESS'],
  ['WS#ws_1#LEFT#category:news', 'ada@people.example'],
  ['WS#ws_1#TERMS', 'a room of its own'],
  ...Array.from({ length: 40 }, (_, index) => [`WS#ws_1#EMAIL#email_${index}`, 'EMAIL'] as const),
] as const;

beforeAll(async () => {
  table = await startTestTable();
  scan = await import('../../../shared/store/workspaceScan.ts');
  config = await import('../../../shared/platform/config.ts');
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  const terms = ['ada', 'love', 'people.example'].map((term) =>
    termKey('ws_1', 'subscribed', term.slice(0, 2), term, 'ada@people.example'),
  );
  const others = [
    ['WS#ws_10', 'SETTINGS'],
    ['WS#ws_10#ADDRESS#ada@people.example', 'ADDRESS'],
  ] as const;
  const items = [...[...own, ...others].map(([pk, sk]) => ({ pk, sk })), ...terms];
  await Promise.all(items.map((Item) => documents.send(new PutCommand({ TableName: 'test', Item }))));
  documents.destroy();
});
afterAll(() => table.stop());

describe('what a workspace holds', () => {
  it.each(['1', '4'])('is read whole in %s parts, but for the terms that people are found by', async (parts) => {
    config.takeSettings({ TABLE_SCAN_SEGMENTS: parts });
    const seen: string[] = [];
    let scanned = 0;
    for await (const page of scan.scanWorkspace('ws_1')) {
      seen.push(...page.items.map(({ pk }) => String(pk)));
      scanned += page.scanned;
    }
    expect(seen.sort()).toEqual(own.map(([pk]) => pk as string).sort());
    expect(scanned).toBe(own.length + 5);
  });
});
