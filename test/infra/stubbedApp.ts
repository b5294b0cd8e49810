/** The stacks as `infra/app.ts` makes them, over functions without code: for a test that looks at the stacks alone. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { entries } from '../../infra/endpoints.ts';
import { readSettings } from '../../infra/settings.ts';
import { addDeployment } from '../../infra/stacks/deployment.ts';
import { addValidations } from '../../infra/stacks/validations.ts';

const app = new App();
const folder = mkdtempSync(join(process.env.HOME ?? tmpdir(), 'stub-'));
writeFileSync(join(folder, 'index.mjs'), 'export const handler = () => {};\n');
const bundles = new Map(entries.map((entry) => [entry, { folder, bytes: 0, modules: [] }]));
addDeployment(app, readSettings(app.node.tryGetContext('settings')), bundles);
addValidations(app);
