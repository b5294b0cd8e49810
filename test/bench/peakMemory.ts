/** Loaded before a command (`node --import`): writes the most memory that it ever had resident to descriptor 3. */
import { writeSync } from 'node:fs';

process.on('exit', () => {
  writeSync(3, String(process.resourceUsage().maxRSS * 1024));
});
