import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';

const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'cdk.json'), 'utf8'));

/**
 * An app as the CDK's command makes it, whose templates nobody holds against CloudFormation's rules: loading these into a
 * suite takes ten times what the rest of a synthesis does, and whole deployments are held against them elsewhere.
 */
export const uncheckedApp = (outdir?: string): App =>
  new App({ context, builtinCloudFormationValidation: false, ...(outdir && { outdir }) });
