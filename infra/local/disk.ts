import { statfsSync } from 'node:fs';

/** SQLite asks for a few pages at a time; below this one of its files soon finds none. */
const enoughBytes = 256 * 1024;

export interface Disk {
  isFull(): boolean;
  stop(): void;
}

/**
 * Looks every second whether there is room where the data is, and says so once when it ends and once when it is back.
 * Calls fail meanwhile, each whole; workers wait, or their messages would use up their attempts and be given up.
 */
export function watchDisk(folder: string, logger: Pick<Console, 'error'> = console): Disk {
  let full = false;
  const look = () => {
    const { bavail, bsize } = statfsSync(folder);
    const now = bavail * bsize < enoughBytes;
    if (now && !full)
      logger.error(`The disk of ${folder} is full: calls fail, and nothing is lost. Make room to go on.`);
    if (!now && full) logger.error(`There is room again on the disk of ${folder}: Mailroom goes on.`);
    full = now;
  };
  look();
  const timer = setInterval(look, 1000);
  timer.unref();
  return { isFull: () => full, stop: () => clearInterval(timer) };
}
