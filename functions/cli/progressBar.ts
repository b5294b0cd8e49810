import { constants } from 'node:os';
import { stopwatch } from '../../shared/platform/clock.ts';

/** Progress of a long command on stderr, if that is a terminal. */
export interface ProgressBar {
  update(done: number, total: number, note: string): void;
  stop(): void;
}

export async function createProgressBar(): Promise<ProgressBar> {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} };
  const { SingleBar } = (await import('cli-progress')).default;
  // A hidden cursor or a changed line wrap would stay after an interruption, so neither is changed.
  const bar = new SingleBar({
    format: '{bar} {percentage}%  {left}{note}',
    hideCursor: false,
    linewrap: true,
    stream: process.stderr,
  });
  bar.start(1, 0, { note: '', left: '' });
  const elapsed = stopwatch();
  const interrupted = () => {
    bar.stop();
    process.exit(128 + constants.signals.SIGINT);
  };
  process.once('SIGINT', interrupted);
  return {
    update: (done, total, note) => {
      bar.setTotal(total);
      bar.update(done, { note, left: timeLeft(elapsed(), done, total) });
    },
    stop: () => {
      process.off('SIGINT', interrupted);
      bar.stop();
    },
  };
}

/** An estimate by the rate so far; empty in the first second or when the total is unknown. */
function timeLeft(elapsedMilliseconds: number, done: number, total: number): string {
  if (done <= 0 || done >= total || elapsedMilliseconds < 1000) return '';
  const seconds = Math.ceil(((total - done) * elapsedMilliseconds) / done / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${minutes > 0 ? `${minutes} min ` : ''}${seconds % 60} s left  `;
}
