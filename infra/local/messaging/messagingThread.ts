import { aheadMilliseconds } from '../clock/sharedClock.ts';
import { serveInThread } from '../engine/engineThread.ts';
import { startMessaging } from './messaging.ts';

/** fauxqs asks `Date.now` for every delay and visibility timeout: in this thread it answers the service's time. */
function followClock(): void {
  const machine = Date.now.bind(Date);
  Date.now = () => machine() + aheadMilliseconds();
}

await serveInThread(startMessaging, followClock);
