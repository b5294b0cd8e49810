import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Bytes of a process that are in memory: as the kernel counts them where there is `/proc`, else as `ps` tells. */
export function residentBytes(pid: number): number {
  const kilobytes = existsSync('/proc/self/status')
    ? /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  return Number(kilobytes) * 1024;
}
