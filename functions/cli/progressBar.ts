import { constants } from 'node:os';

/** How far a long command is, on the terminal of whoever waits for it; nothing where nobody looks. */
export interface ProgressBar {
  update(done: number, total: number, note: string): void;
  stop(): void;
}

export async function createProgressBar(): Promise<ProgressBar> {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} };
  const { SingleBar } = (await import('cli-progress')).default;
  // What is changed of a terminal (its cursor, where lines break) stays so when the command is interrupted.
  const bar = new SingleBar({
    format: '{bar} {percentage}%  {left}{note}',
    hideCursor: false,
    linewrap: true,
    stream: process.stderr,
  });
  bar.start(1, 0, { note: '', left: '' });
  const began = Date.now();
  const interrupted = () => {
    bar.stop();
    process.exit(128 + constants.signals.SIGINT);
  };
  process.once('SIGINT', interrupted);
  return {
    update: (done, total, note) => {
      bar.setTotal(total);
      bar.update(done, { note, left: timeLeft(Date.now() - began, done, total) });
    },
    stop: () => {
      process.off('SIGINT', interrupted);
      bar.stop();
    },
  };
}

/** At the pace so far; nothing before there is one, or when nobody knows how much is left. */
function timeLeft(elapsedMilliseconds: number, done: number, total: number): string {
  if (done <= 0 || done >= total || elapsedMilliseconds < 1000) return '';
  const seconds = Math.ceil(((total - done) * elapsedMilliseconds) / done / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${minutes > 0 ? `${minutes} min ` : ''}${seconds % 60} s left  `;
}
