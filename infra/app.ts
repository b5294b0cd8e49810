import { join } from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { bundleFunctions } from './bundle.ts';
import { entries } from './endpoints.ts';
import { readSettings } from './settings.ts';
import { addDeployment } from './stacks/deployment.ts';

const app = new App();
const settings = readSettings(app.node.getAllContext());
const bundles = await bundleFunctions(entries, join(app.outdir, 'functions'));
addDeployment(app, settings, bundles);

// A finding that is not acknowledged with its reason fails the synthesis.
Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
