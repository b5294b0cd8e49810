import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { bundleFunctions } from './bundle.ts';
import { entries } from './endpoints.ts';
import { readSettings } from './settings.ts';
import { addDeployment } from './stacks/deployment.ts';

const app = new App();
// `npx cdk deploy --all --context settings=mailroom.settings.dev.json` for another deployment than the usual one.
const settings = readSettings(app.node.tryGetContext('settings'));
const bundles = await bundleFunctions(entries, join(app.outdir, 'functions'));
addDeployment(app, settings, bundles);

// A finding that is not acknowledged with its reason fails the synthesis.
Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
