import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * For commands that handle as many people as there are. On a machine with much memory V8 lets dead objects pile up to
 * 100 MB and more before it looks; it reads both flags each time that it would grow, so they may be set while running.
 * Answers what looks at once, for the end of some batches: some 30 ms, and no limit that a large file could break.
 */
export function keepMemorySteady(): () => void {
  setFlagsFromString('--optimize-for-size');
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  // What loading the program has left.
  collectGarbage();
  return collectGarbage;
}
