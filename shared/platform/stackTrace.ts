import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** The bundle that this line is part of. Sources that are not bundled have no map and need none. */
const bundle = import.meta.url;
const frame = /\bat (?:.* \()?(file:\S+?):(\d+):(\d+)\)?/g;
let sourceMap: SourceMap | null | undefined;

/** A stack trace whose lines name our sources. The map is read when the first error needs it, and kept. */
export function traceInSources(stack: string): string {
  if (sourceMap === undefined) sourceMap = readSourceMap();
  if (!sourceMap) return stack;
  return stack.replace(frame, (line, file, row, column) =>
    file === bundle ? (sourceLine(Number(row), Number(column)) ?? line) : line,
  );
}

function readSourceMap(): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${bundle}.map`), 'utf8')));
  } catch {
    return null;
  }
}

/** Stack traces count from 1, source maps from 0 (ECMA-426). */
function sourceLine(row: number, column: number): string | null {
  const entry = sourceMap?.findEntry(row - 1, column - 1);
  if (!entry || !('originalSource' in entry)) return null;
  // What the bundler itself wrote comes from no source, whatever the type says.
  const { originalSource, originalLine, originalColumn }: Partial<typeof entry> = entry;
  if (originalSource === undefined || originalLine === undefined || originalColumn === undefined) return null;
  return `at ${originalSource}:${originalLine + 1}:${originalColumn + 1}`;
}
