import { spawn } from 'node:child_process';

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a file with what the desktop has for it; false where there is none to ask. */
export function openFile(path: string): Promise<boolean> {
  const [command, ...words] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...words, path], { stdio: 'ignore', detached: true });
  return new Promise((settle) => {
    child.once('error', () => settle(false));
    child.once('spawn', () => {
      child.unref();
      settle(true);
    });
  });
}
