import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '../../infra/local/engines/dynamodb.ts';
import { ensureTable } from '../../infra/local/engines/tableResource.ts';
import { createId } from '../../shared/domain/token/identifier.ts';
import type { Email } from '../../shared/store/sending/email.ts';
import { aroundUnits } from '../shared/store/aroundCalls.ts';
import { idleSweepConsumption, measureIdleSweep } from './costs/idleSweep.ts';
import { itemBytes } from './costs/itemBytes.ts';
import type { BenchContext, Row, Section } from './report.ts';

const levels = [1, 10, 50, 200, 1000, 4403, 10_000];
const sampled = 20;
const quota = { recipients: 1, counted: 1 };
const tableName = 'bench';
const month = '2026-06';
const noLimit = Number.MAX_SAFE_INTEGER;
const start = new Date('2026-06-15T12:00:00.000Z');
const anHourLater = new Date(start.getTime() + 3_600_000);

/** What the bookkeeping of a send costs with others in flight, and what it costs to settle a minute of them. */
export async function benchReservations({ quick }: BenchContext): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-bench-'));
  const engine = await startDynamoDb({ dataDir: folder });
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    TABLE_NAME: tableName,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
  const client = new DynamoDBClient({});
  try {
    await ensureTable(client, tableName);
    const used = await countUnits();
    const inFlight = [];
    const idleSweep = await measureIdleSweep();
    for (const level of levels) inFlight.push(await unitsOfSend(client, level, used));
    const settlement = await settleMinute(quick ? 1000 : 6000, used);
    return {
      title: 'Reservations',
      head: 'With the default list of emails: reservation, attempt, acceptance and the entry in the list, without the outcome.',
      rows: [
        ...inFlightRows(inFlight),
        ...settlementRows(settlement),
        {
          what: 'a run of the sweeper that finds nothing',
          measured: `${idleSweep.calls.toFixed(1)} calls, ${idleSweep.readUnits.toFixed(1)} read and ${idleSweep.writeUnits.toFixed(1)} write units`,
        },
      ],
      figures: { inFlight, settlement, idleSweep },
      consumption: [idleSweepConsumption(idleSweep)],
    };
  } finally {
    client.destroy();
    await engine.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Units {
  write: number;
  read: number;
}

interface InFlight {
  readonly level: number;
  /** Write units per send. */
  readonly units: number;
  /** Of the month's item, that all sends of a workspace write. */
  readonly monthBytes: number;
  /** What the month holds when the minute is settled. */
  readonly kept: number;
}

/** Reserved and accepted while `level - 1` others of the workspace are neither; then the minute is settled. */
async function unitsOfSend(client: DynamoDBClient, level: number, used: Units): Promise<InFlight> {
  const { reserve, acceptEnvelope, sweepOpenSends, getMonth, monthKey } = await stores();
  const workspaceId = createId('ws', new Date());
  const open = () => reserve(emailOf(workspaceId), quota, noLimit, start, 'only');
  for (let opened = 0; opened < level - 1; opened += 50) {
    await Promise.all(Array.from({ length: Math.min(50, level - 1 - opened) }, open));
  }
  if (level === 1) await open();
  const before = used.write;
  for (let send = 0; send < sampled; send += 1) {
    const email = emailOf(workspaceId);
    const reserved = await reserve(email, quota, noLimit, start, 'only');
    if (reserved.ok) await acceptEnvelope(email, 0, 'message', reserved.minute);
  }
  const units = (used.write - before) / sampled;
  const { pk, sk } = monthKey(workspaceId, month);
  const { Item = {} } = await client.send(
    new GetItemCommand({ TableName: tableName, Key: { pk: { S: pk }, sk: { S: sk } }, ConsistentRead: true }),
  );
  await sweepOpenSends(anHourLater);
  const { used: kept } = await getMonth(workspaceId, month);
  return { level, units, monthBytes: itemBytes(Item), kept };
}

/** A minute of sends, one in twenty of which nobody saw the end of, all others delivered. */
async function settleMinute(sends: number, used: Units) {
  const { reserve, acceptEnvelope, recordOutcome, sweepOpenSends, getMonth } = await stores();
  await sweepOpenSends(anHourLater);
  const workspaceId = createId('ws', new Date());
  const send = async (index: number) => {
    const email = emailOf(workspaceId);
    const reserved = await reserve(email, quota, noLimit, start, 'only');
    if (!reserved.ok || index % 20 === 0) return;
    await acceptEnvelope(email, 0, 'message', reserved.minute);
    const [address = ''] = email.to;
    const { expiresAt } = email;
    const outcome = { workspaceId, emailId: email.id, address, status: 'delivered' as const, at: start, expiresAt };
    await recordOutcome({ ...outcome, count: { minute: reserved.minute, isLate: false } });
  };
  for (let sent = 0; sent < sends; sent += 50) {
    await Promise.all(Array.from({ length: Math.min(50, sends - sent) }, (_, index) => send(sent + index)));
  }
  const before = { ...used };
  const began = performance.now();
  await sweepOpenSends(anHourLater);
  const seconds = (performance.now() - began) / 1000;
  return {
    sends,
    seconds,
    kept: (await getMonth(workspaceId, month)).used,
    expected: sends - Math.ceil(sends / 20),
    writeUnits: used.write - before.write,
    readUnits: used.read - before.read,
  };
}

function emailOf(workspaceId: string): Email {
  const id = createId('email', start);
  const to = [`${id}@example.net`];
  return {
    ...{ workspaceId, id, from: 'Acme <hello@example.com>', to, cc: [], bcc: [], replyTo: [], tags: [] },
    ...{ subject: 'Your receipt', envelopes: [to], isQuotaExempt: false },
    createdAt: start.toISOString(),
    expiresAt: Math.floor(Date.now() / 1000) + 86_400,
  };
}

/** Loaded when the environment says where the table is. */
async function stores() {
  const [reservations, emails, outcomes, usage, sweep, keys] = await Promise.all([
    import('../../shared/store/sending/reservations.ts'),
    import('../../shared/store/sending/emails.ts'),
    import('../../shared/store/sending/outcomes.ts'),
    import('../../shared/store/sending/usage.ts'),
    import('../../shared/services/sweep/openSends.ts'),
    import('../../shared/store/table/keys.ts'),
  ]);
  return { ...reservations, ...emails, ...outcomes, ...usage, ...sweep, monthKey: keys.monthKey };
}

/** Counts what DynamoDB says that each call of the stores took, indexes included. */
async function countUnits(): Promise<Units> {
  const used: Units = { write: 0, read: 0 };
  const { documents } = await import('../../shared/store/table/table.ts');
  aroundUnits(documents, ({ operation }, units) => {
    used[/Query|Get/.test(operation) ? 'read' : 'write'] += units;
  });
  return used;
}

function inFlightRows(inFlight: readonly InFlight[]): Row[] {
  const [first] = inFlight;
  return inFlight.map(({ level, units, monthBytes, kept }) => ({
    what: `write units of a send's bookkeeping, ${level.toLocaleString('en')} in flight`,
    measured: `${units.toFixed(2)}; the month's item ${monthBytes} bytes; ${kept} kept when it is settled`,
    budget: `within 10 % of one in flight, exactly ${sampled}`,
    ok: Math.abs(units / (first?.units ?? units) - 1) <= 0.1 && kept === sampled,
  }));
}

function settlementRows(settlement: Awaited<ReturnType<typeof settleMinute>>): Row[] {
  const { sends, seconds, kept, expected, writeUnits, readUnits } = settlement;
  return [
    {
      what: `a minute of ${sends.toLocaleString('en')} sends, one in twenty unfinished, settled`,
      measured: `${writeUnits} write units, ${(readUnits / sends).toFixed(2)} read units a send, ${Math.round(sends / seconds)} sends a second`,
    },
    {
      what: 'what it keeps of the quota',
      measured: kept.toLocaleString('en'),
      budget: `exactly ${expected.toLocaleString('en')}`,
      ok: kept === expected,
    },
  ];
}
