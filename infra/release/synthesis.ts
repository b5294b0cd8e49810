import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { type Endpoint, endpoints, entries } from '../endpoints.ts';
import { parseSettings } from '../settings.ts';
import { addDeployment } from '../stacks/deployment.ts';
import { linksOf, type StackLinks } from './stackLinks.ts';

const { context: contextOfProject } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'cdk.json'), 'utf8'),
);

/**
 * An app with the context of cdk.json, but without CloudFormation's template rules: loading them takes ten times as long
 * as a synthesis.
 */
export const uncheckedApp = (outdir?: string, ownContext: object = {}): App =>
  new App({
    // Warnings are read from the stacks, not printed.
    context: { ...contextOfProject, '@aws-cdk/core:annotationsInValidationReport': false, ...ownContext },
    builtinCloudFormationValidation: false,
    ...(outdir && { outdir }),
  });

export interface SynthesisOptions {
  /** Instead of the app's own endpoints, besides those of the console. */
  readonly contract?: readonly Endpoint[];
  readonly context?: object;
}

interface SynthesizedStack {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is JSON of any shape
  readonly template: any;
  /** Stack tags: CloudFormation gives them to every resource that can have tags. */
  readonly tags: Readonly<Record<string, string>>;
}

interface SynthesizedApp {
  /** In the order of their deployment. */
  readonly stacks: readonly SynthesizedStack[];
  readonly links: readonly StackLinks[];
  readonly warnings: readonly string[];
}

/** The stacks of `infra/app.ts` with these settings, with functions that have no code. */
export function synthesize(settings: object, { contract = endpoints, context = {} }: SynthesisOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-templates-'));
  try {
    const code = join(folder, 'code');
    mkdirSync(code);
    writeFileSync(join(code, 'index.mjs'), '');
    const app = uncheckedApp(join(folder, 'out'), context);
    const bundles = new Map(entries.map((entry) => [entry, { folder: code, bytes: 0, modules: [] }]));
    addDeployment(app, parseSettings(settings), bundles, contract);
    const assembly = app.synth();
    return {
      stacks: assembly.stacks.map(({ stackName, template, tags }) => ({ name: stackName, template, tags })),
      links: linksOf(assembly),
      warnings: assembly.stacks.flatMap(({ messages }) => messages.map(({ entry }) => String(entry.data))),
    } satisfies SynthesizedApp;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
