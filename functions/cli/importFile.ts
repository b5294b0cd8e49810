import { now } from '../../shared/platform/clock.ts';
import type { Context } from '../../shared/services/context.ts';
import { type ImportWanted, importSubscribers } from '../../shared/services/imports/run.ts';
import { fields, type Output } from './output.ts';
import { createProgressBar } from './progressBar.ts';
import { keepMemorySteady } from './steadyMemory.ts';

/** What a batch leaves behind is small; looking for it takes as long as writing a dozen people. */
const batchesPerCollection = 4;

/** Imports a file before the eyes of whoever waits for it. The exit code is 0 when something of it was taken. */
export async function runImport(context: Context, wanted: ImportWanted): Promise<Output> {
  const bar = await createProgressBar();
  const collectGarbage = keepMemorySteady();
  const began = now().getTime();
  let batches = 0;
  const report = await importSubscribers(context, wanted, (progress, bytes) => {
    if (batches === 0 && bytes.done === 0) tellResumed(progress.rows);
    batches += 1;
    bar.update(bytes.done, bytes.total, `${progress.rows} lines, ${progress.refused} refused`);
    if (batches % batchesPerCollection === 0) collectGarbage();
  }).finally(() => bar.stop());
  const seconds = (now().getTime() - began) / 1000;
  const perSecond = Math.round((report.rows - report.resumedAfter) / Math.max(seconds, 0.001));
  return {
    json: {
      object: 'import',
      lines: report.rows,
      added: report.added,
      updated: report.updated,
      suppressed: report.suppressed,
      refused: report.refused,
      refused_file: report.refusedFile,
      resumed_after: report.resumedAfter,
      lines_per_second: perSecond,
    },
    text: fields([
      ['Lines', report.resumedAfter > 0 ? `${report.rows}, ${report.resumedAfter} of them before` : report.rows],
      ...(wanted.suppressAs
        ? []
        : ([
            ['Added', report.added],
            ['Updated', report.updated],
          ] as const)),
      ['Suppressed', report.suppressed],
      ['Refused', report.refusedFile ? `${report.refused}, listed in ${report.refusedFile}` : 0],
      ['Rate', `${perSecond} a second`],
    ]),
    exitCode: report.added + report.updated + report.suppressed > 0 ? 0 : 1,
  };
}

function tellResumed(rows: number): void {
  process.stderr.write(`Going on with an earlier import: ${rows} lines were dealt with.\n`);
}
