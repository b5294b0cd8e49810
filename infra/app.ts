import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundleFunctions } from './bundle.ts';
import { entries } from './endpoints.ts';
import { readSettings } from './settings.ts';
import { addDeployment } from './stacks/deployment.ts';
import { addValidations } from './stacks/validations.ts';

const app = new App();
// `npx cdk deploy --all --context settings=mailroom.settings.dev.json` for another deployment than the usual one.
const settings = readSettings(app.node.tryGetContext('settings'));
const bundles = await bundleFunctions(entries, join(app.outdir, 'functions'));
addDeployment(app, settings, bundles);
addValidations(app);
