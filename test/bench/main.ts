import { fork } from 'node:child_process';
import { benchAutomations } from './automations/automations.ts';
import { benchBatch } from './batch.ts';
import { benchCampaigns } from './campaigns/campaigns.ts';
import { benchColdStarts } from './coldStart/coldStart.ts';
import { benchConsole } from './console.ts';
import { costSheet } from './costs/sheet.ts';
import { benchEmails } from './emails/emails.ts';
import { benchIdle } from './idle.ts';
import { benchMcp } from './mcp.ts';
import { type BenchContext, type Report, readReport, runOf, type Section, writeReport } from './report.ts';
import { benchSubscribers } from './subscribers.ts';
import { benchWebhooks } from './webhooks.ts';

const words = process.argv.slice(2);
const context: BenchContext = { quick: words.includes('--quick'), write: words.includes('--write') };
const only = words.filter((word) => !word.startsWith('-'));

/** Run one after the other: side by side they would compete for the processors. */
const benches: Record<string, (context: BenchContext) => Promise<Section>> = {
  emails: benchEmails,
  batch: benchBatch,
  subscribers: benchSubscribers,
  webhooks: benchWebhooks,
  console: benchConsole,
  coldStarts: benchColdStarts,
  mcp: benchMcp,
  campaigns: benchCampaigns,
  automations: benchAutomations,
  idle: benchIdle,
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
  // By its name also alone, after a change of prices or of the stacks.
  if (only.includes(costs) || Object.values(measured).some(({ consumption }) => consumption)) {
    keep(costs, costSheet(Object.values(inOrder({ ...kept, ...measured }))));
  }
  console.log(`The report is in ${folder}.`);
}

/** In the order of the benches, the cost sheet last. */
function inOrder(sections: Report): Report {
  return Object.fromEntries(
    [...Object.keys(benches), costs].flatMap((name) => (sections[name] ? [[name, sections[name]]] : [])),
  );
}

/** Each section starts its own services, and a client of the table keeps its first endpoint. */
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
