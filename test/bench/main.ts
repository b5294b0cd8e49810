import { fork } from 'node:child_process';
import { benchAudience } from './audience.ts';
import { benchBatch } from './batch.ts';
import { benchCampaigns } from './campaigns/campaigns.ts';
import { benchColdStarts } from './coldStart/coldStart.ts';
import { benchConsole } from './console/day.ts';
import { benchRooms } from './console/rooms.ts';
import { costSheet } from './costs/sheet.ts';
import { benchEmails } from './emails.ts';
import { benchMcp } from './mcp.ts';
import { type BenchContext, type Report, readReport, runOf, type Section, writeReport } from './report.ts';
import { benchReservations } from './reservations.ts';
import { benchIdleSockets } from './sending/idleSockets.ts';
import { benchLargeMessages } from './sending/largeMessages.ts';
import { benchLongLived } from './sending/longLived.ts';
import { benchSubscribers } from './subscribers.ts';
import { benchWebhooks } from './webhooks.ts';

const words = process.argv.slice(2);
const context: BenchContext = { quick: words.includes('--quick'), write: words.includes('--write') };
const only = words.filter((word) => !word.startsWith('-'));

/** One after the other: they would take each other's processors. */
const benches: Record<string, (context: BenchContext) => Promise<Section>> = {
  emails: benchEmails,
  batch: benchBatch,
  largeMessages: benchLargeMessages,
  longLived: benchLongLived,
  reservations: benchReservations,
  subscribers: benchSubscribers,
  audience: benchAudience,
  webhooks: benchWebhooks,
  console: benchConsole,
  rooms: benchRooms,
  coldStarts: benchColdStarts,
  idleSockets: benchIdleSockets,
  mcp: benchMcp,
  campaigns: benchCampaigns,
};

/** The section that is computed from the others. */
const costs = 'costs';

const own = benches[process.env.BENCH_SECTION ?? ''];
if (own) process.send?.(await own(context), () => process.exit(0));
else await runAll();

async function runAll(): Promise<void> {
  const kept = readReport(context);
  const measured: Record<string, Report[string]> = {};
  let folder = '';
  const keep = (name: string, section: Section) => {
    print(section);
    measured[name] = { ...section, run: runOf(context) };
    folder = writeReport(inOrder({ ...kept, ...measured }), context);
  };
  for (const name of Object.keys(benches)) {
    if (only.length > 0 && !only.includes(name)) continue;
    console.log(`${name}…`);
    keep(name, await inOwnProcess(name));
  }
  if (Object.values(measured).some(({ consumption }) => consumption)) {
    keep(costs, await costSheet(Object.values(inOrder({ ...kept, ...measured }))));
  }
  console.log(`The report is in ${folder}.`);
}

/** What was measured before and now, in the order of the benches, the cost sheet last. */
function inOrder(sections: Report): Report {
  return Object.fromEntries(
    [...Object.keys(benches), costs].flatMap((name) => (sections[name] ? [[name, sections[name]]] : [])),
  );
}

/** Each section has services of its own, and a client of the table keeps the endpoint that it began with. */
function inOwnProcess(name: string): Promise<Section> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename, words, { env: { ...process.env, BENCH_SECTION: name } });
    child.once('message', (section) => resolve(section as Section));
    child.once('exit', (code) => reject(new Error(`The section ${name} ended with ${code}.`)));
  });
}

function print({ rows }: Section): void {
  for (const { what, measured, budget, ok } of rows) {
    console.log(`  ${what}: ${measured}${budget ? ` (budget ${budget}: ${ok ? 'kept' : 'MISSED'})` : ''}`);
  }
}
