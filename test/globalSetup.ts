import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the folder of the services that test files share; workers inherit the variable. */
export default function globalSetup(): void {
  process.env.MAILROOM_TEST_RUN = mkdtempSync(join(tmpdir(), 'mailroom-run-'));
}
