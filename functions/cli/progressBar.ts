/** How far a long command is, on the terminal of whoever waits for it; nothing where nobody looks. */
export interface ProgressBar {
  update(done: number, total: number, note: string): void;
  stop(): void;
}

export async function createProgressBar(): Promise<ProgressBar> {
  if (!process.stderr.isTTY) return { update: () => {}, stop: () => {} };
  const { SingleBar } = (await import('cli-progress')).default;
  // A cursor that is hidden stays so when the command is interrupted.
  const bar = new SingleBar({ format: '{bar} {percentage}%  {note}', hideCursor: false, stream: process.stderr });
  bar.start(1, 0, { note: '' });
  return {
    update: (done, total, note) => {
      bar.setTotal(total);
      bar.update(done, { note });
    },
    stop: () => bar.stop(),
  };
}
