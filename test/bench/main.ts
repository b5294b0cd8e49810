import { benchAudience } from './audience.ts';
import { benchEmails } from './emails.ts';
import { type BenchContext, type Section, writeReport } from './report.ts';
import { benchSubscribers } from './subscribers.ts';
import { benchWebhooks } from './webhooks.ts';

const context: BenchContext = { quick: process.argv.includes('--quick') };
const only = process.argv.slice(2).filter((word) => !word.startsWith('-'));

/** One after the other: they would take each other's processors. */
const benches: Record<string, (context: BenchContext) => Promise<Section>> = {
  emails: benchEmails,
  subscribers: benchSubscribers,
  audience: benchAudience,
  webhooks: benchWebhooks,
};

const began = performance.now();
const sections: Section[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (only.length > 0 && !only.includes(name)) continue;
  console.log(`${name}…`);
  const section = await bench(context);
  for (const { what, measured, budget, ok } of section.rows) {
    console.log(`  ${what}: ${measured}${budget ? ` (budget ${budget}: ${ok ? 'kept' : 'MISSED'})` : ''}`);
  }
  sections.push(section);
}
writeReport(sections, context, (performance.now() - began) / 1000);
