/**
 * Several deployments in one app, with functions that have no code and with every check of `infra/app.ts`: cdk-nag here,
 * CloudFormation's template rules by the CDK. The context names a file with a list of settings.
 */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { entries } from '../../infra/endpoints.ts';
import { parseSettings } from '../../infra/settings.ts';
import { addDeployment } from '../../infra/stacks/deployment.ts';
import { addValidations } from '../../infra/stacks/validations.ts';

const app = new App();
const folder = mkdtempSync(join(process.env.HOME ?? tmpdir(), 'code-'));
writeFileSync(join(folder, 'index.mjs'), 'export const handler = () => {};\n');
const bundles = new Map(entries.map((entry) => [entry, { folder, bytes: 0, modules: [] }]));
const list = JSON.parse(readFileSync(app.node.tryGetContext('settings'), 'utf8')) as unknown[];
for (const settings of list) addDeployment(app, parseSettings(settings), bundles);
addValidations(app);
