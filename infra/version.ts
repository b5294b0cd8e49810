import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { version: own } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));

/** The version of this checkout; a deployment has it as an output and as a tag of its resources. */
export const version: string = own;

/**
 * The oldest release that a deployment of this one can be rolled back to: it reads what this one writes. CHANGELOG.md says
 * the same.
 */
export const oldestRollback = '1.0.0';
