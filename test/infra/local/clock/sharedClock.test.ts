import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  aheadMilliseconds,
  followFolderClock,
  moveClock,
  readAhead,
} from '../../../../infra/local/clock/sharedClock.ts';
import { startEngines } from '../../../../infra/local/engines/engines.ts';
import { nowMilliseconds } from '../../../../shared/platform/clock.ts';

const day = 86_400_000;
let folder: string;
let release = () => {};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailroom-clock-'));
});
afterEach(() => {
  release();
  rmSync(folder, { recursive: true, force: true });
});

describe('the clock of a data folder', () => {
  it('goes forward only, and is that of the folder the next time', () => {
    release = followFolderClock(folder);
    expect(aheadMilliseconds()).toBe(0);
    moveClock(folder, Date.now() + 3 * day);
    expect(nowMilliseconds()).toBeGreaterThanOrEqual(Date.now() + 3 * day - 1000);
    moveClock(folder, Date.now() + day);
    expect(nowMilliseconds()).toBeGreaterThanOrEqual(Date.now() + 3 * day - 1000);
    const ahead = aheadMilliseconds();
    release();
    expect(aheadMilliseconds()).toBe(0);
    release = followFolderClock(folder);
    expect([aheadMilliseconds(), readAhead(folder)]).toEqual([ahead, ahead]);
  });

  it('is never guessed: a damaged file is named', () => {
    writeFileSync(join(folder, 'clock.json'), '{');
    expect(() => followFolderClock(folder)).toThrow('clock.json is damaged');
  });
});

describe("an engine of the user's, which goes by the machine's time", () => {
  const env = { AWS_ENDPOINT_URL_SCHEDULER: 'http://127.0.0.1:1' };

  it('is refused with --clock', async () => {
    const started = startEngines({ dataDir: folder, env, isClockMoved: true });
    await expect(started).rejects.toThrow('remove AWS_ENDPOINT_URL and AWS_ENDPOINT_URL_SCHEDULER, or start without');
  });

  it('is refused on a folder whose clock is ahead', async () => {
    release = followFolderClock(folder);
    moveClock(folder, Date.now() + day);
    await expect(startEngines({ dataDir: folder, env })).rejects.toThrow('or choose another folder');
  });
});
