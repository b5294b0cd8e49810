/** Loaded before a command (`node --import`): tells the bench, on descriptor 3, how much memory it ever had resident. */
import { writeSync } from 'node:fs';

process.on('exit', () => {
  writeSync(3, String(process.resourceUsage().maxRSS * 1024));
});
