import { now } from '../../shared/platform/clock.ts';
import type { Context } from '../../shared/services/context.ts';
import { type FileImport, importSubscribers } from '../../shared/services/imports/importFile.ts';
import { requireFile } from './input.ts';
import { type CommandOutput, fields } from './output.ts';
import { createProgressBar } from './progressBar.ts';
import { keepMemorySteady } from './steadyMemory.ts';

/** A collection takes as long as writing a dozen people, and a batch leaves little garbage. */
const batchesPerCollection = 4;

/** Imports a file with a progress bar. The exit code is 0 if at least one line was imported. */
export async function importWithProgress(context: Context, input: FileImport): Promise<CommandOutput> {
  requireFile(input.file);
  const bar = await createProgressBar();
  const collectGarbage = keepMemorySteady();
  const began = now().getTime();
  let batches = 0;
  const report = await importSubscribers(context, input, (progress, bytes) => {
    if (batches === 0 && bytes.done === 0) printResumed(progress.rows);
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
      [
        'Lines',
        report.resumedAfter > 0 ? `${report.rows}, of which ${report.resumedAfter} in an earlier run` : report.rows,
      ],
      ...(input.suppressAs
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

function printResumed(rows: number): void {
  process.stderr.write(`Continuing an interrupted import after ${rows} lines.\n`);
}
