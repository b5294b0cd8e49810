// Reads the results of jest: `failed FILE` lists the suites that failed, `counts FILE [FILE]` prints how many tests passed,
// failed and were skipped, where a suite of the second file replaces the same one of the first.
import { existsSync, readFileSync } from 'node:fs';

const [command, ...paths] = process.argv.slice(2);
const suites = new Map();
for (const path of paths.filter((each) => existsSync(each))) {
  for (const suite of JSON.parse(readFileSync(path, 'utf8')).testResults) suites.set(suite.name, suite);
}
if (suites.size === 0) process.exit(1);

if (command === 'failed') {
  for (const { name, status } of suites.values()) if (status === 'failed') console.log(name);
} else {
  const counts = { passed: 0, failed: 0, pending: 0 };
  for (const { status, assertionResults } of suites.values()) {
    const failedBefore = counts.failed;
    for (const test of assertionResults) if (test.status in counts) counts[test.status] += 1;
    // A suite that did not start has no tests, and counts as one failure.
    if (status === 'failed' && counts.failed === failedBefore) counts.failed += 1;
  }
  console.log(counts.passed, counts.failed, counts.pending);
}
