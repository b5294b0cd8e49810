import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { chromiumPath } from './chromium.ts';

export { chromiumPath };

/** `describe` where there is a Chromium; elsewhere the tests are skipped, and it is said why. */
export const describeInChromium = chromiumPath ? describe : describe.skip;
if (!chromiumPath) {
  console.warn(
    'No Chromium here (Debian: apt-get install chromium-headless-shell; or set CHROMIUM): the browser tests are SKIPPED.',
  );
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What a change of colours alone can break. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * What keeps people from reading or using a page, in words; in its own frame alone, by all rules of axe or by these. What
 * axe finds nothing wrong with would be described at length too.
 */
export async function findings(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(readFileSync(axe, 'utf8'));
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) };
  return page.evaluate(`axe
    .run({ exclude: ["iframe"] }, ${JSON.stringify(options)})
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`);
}

/** Collects what a page must never do: errors, refusals by its own policy, requests to anywhere else. */
export async function watch(page: Page, origin: string): Promise<string[]> {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // A browser reports each answer from 400 on in this way, the ones that are pages too.
    if (message.text().startsWith('Failed to load resource: the server responded with a status of')) return;
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol !== 'data:' && url.origin !== origin) complaints.push(`request: ${request.url()}`);
  });
  return complaints;
}
