import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { readonly type: 'minor' | 'major' }) => void;

let collect: Collect | null = null;

/**
 * Collects garbage now: the young (a millisecond) or all of it (some ten). V8 looks for buffers that nobody holds any more
 * when tens of megabytes of new ones have come, which is as much as the largest file. The flag may be set while running.
 */
export function collectGarbage(type: 'minor' | 'major'): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  collect({ type });
}
