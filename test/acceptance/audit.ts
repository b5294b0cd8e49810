import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { personOf, recordOf, termItemsOf } from '../../shared/store/person/personRecord.ts';
import type { TestService } from './service.ts';

type Item = Record<string, unknown>;

/**
 * Reads the whole table and reports inconsistencies: an address item whose index attributes do not follow from
 * its state, a person without one of their terms, a term without a person, a suppressed person who is still subscribed.
 */
export async function auditPeople(service: TestService): Promise<{ people: number; problems: string[] }> {
  const items = await scan(service);
  const problems: string[] = [];
  const expected = new Map<string, number>();
  let people = 0;
  for (const item of items.filter(({ sk, pk }) => sk === 'ADDRESS' && String(pk).startsWith('WS#'))) {
    const [, workspaceId = ''] = String(item.pk).split('#');
    const person = personOf(workspaceId, item);
    if (person.subscriber) people += 1;
    if (!sameIndexes(item, { ...recordOf(person) })) problems.push(`index attributes of ${item.pk}`);
    if (person.suppression && ['subscribed'].includes(person.subscriber?.status ?? '')) {
      problems.push(`${item.pk} is suppressed and ${person.subscriber?.status}`);
    }
    for (const term of termItemsOf(person)) expected.set(`${term.pk}\n${term.sk}`, Number(term.shared));
  }
  for (const item of items.filter(({ pk }) => /^WS#[^#]+#TERM#/.test(String(pk)))) {
    const key = `${item.pk}\n${item.sk}`;
    if (expected.get(key) !== item.shared) problems.push(`term ${key} has no person or the wrong order`);
    expected.delete(key);
  }
  for (const key of expected.keys()) problems.push(`term ${key} is missing`);
  return { people, problems };
}

function sameIndexes(stored: Item, derived: Item): boolean {
  const names = ['newest', 'status', 'audience', 'suppressed', 'due'].flatMap((index) => [
    `${index}_pk`,
    `${index}_sk`,
  ]);
  return names.every((name) => stored[name] === derived[name]);
}

/**
 * What must hold of automations at any time but within a write: a running run has a `due`; a waiter names a running run at
 * its `seq`; an enrolment's open run is running. Problems; none if all is well.
 */
export function auditRuns(items: readonly Item[]): string[] {
  const runs = new Map(items.filter(({ sk }) => /^RUN#/.test(String(sk))).map((item) => [String(item.run_id), item]));
  const isRunning = (id: unknown) => runs.get(String(id))?.status === 'running';
  const problems: string[] = [];
  for (const [id, run] of runs) {
    const isDue = run.due_pk !== undefined;
    if ((run.status === 'running') !== isDue) problems.push(`${id} is ${run.status}, and due ${run.due_sk}`);
  }
  for (const { pk, sk, run_id, seq } of items.filter(({ sk }) => /^WAIT#/.test(String(sk)))) {
    const isAtSeq = seq === undefined || runs.get(String(run_id))?.seq === seq;
    if (!isRunning(run_id) || !isAtSeq) problems.push(`${pk} ${sk} waits for a run that is not there any more`);
  }
  for (const { pk, sk, open_run } of items.filter(({ sk }) => /^ENROLMENT#/.test(String(sk)))) {
    if (open_run !== undefined && !isRunning(open_run)) problems.push(`${pk} ${sk} has an open run that has ended`);
  }
  return problems;
}

/** Every item of the table. */
export async function scan(service: TestService): Promise<Item[]> {
  const client = new DynamoDBClient({
    endpoint: service.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const documents = DynamoDBDocumentClient.from(client);
  const items: Item[] = [];
  let start: Item | undefined;
  do {
    const page = await documents.send(
      new ScanCommand({ TableName: service.environment.TABLE_NAME, ConsistentRead: true, ExclusiveStartKey: start }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  client.destroy();
  return items;
}
