import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const project = resolve(import.meta.dirname, '..', '..');
const cdk = join(project, 'node_modules', 'aws-cdk', 'bin', 'cdk');

/** Synthesis takes some ten seconds, most of them CloudFormation's own rules; more on a machine that is busy. */
export const synthesisTimeoutMilliseconds = 240_000;

export interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a template is JSON of any shape
  readonly Properties: any;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs: Readonly<Record<string, unknown>>;
}

/**
 * Runs `cdk synth` as somebody would who has no AWS account: an empty home, no credentials, no region. Rejects with what
 * it printed when the synthesis fails.
 */
export async function synthesise(context: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'mailroom-synth-'));
  const options = Object.entries(context).flatMap(([name, value]) => ['--context', `${name}=${value}`]);
  try {
    await promisify(execFile)(
      process.execPath,
      [cdk, 'synth', '--quiet', '--no-notices', '--output', join(folder, 'out'), ...options],
      { cwd: project, env: { HOME: folder, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) } },
    );
    const stage = context['mailroom:stage'] ?? 'prod';
    const template = async (name: string): Promise<Template> =>
      JSON.parse(await readFile(join(folder, 'out', `${name}.template.json`), 'utf8'));
    return { data: await template(`mailroom-${stage}-data`), service: await template(`mailroom-${stage}`) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Logical ids and properties of the resources of a type, `Lambda::Function` for instance. */
export function resourcesOf(template: Template, type: string): [string, Resource][] {
  return Object.entries(template.Resources).filter(([, resource]) => resource.Type === `AWS::${type}`);
}

export interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: Record<string, Record<string, unknown>>;
}

/** What the role may do whose construct is called so. */
export function statementsOf(template: Template, construct: string): Statement[] {
  const [role] =
    resourcesOf(template, 'IAM::Role').find(([id]) => new RegExp(`^${construct}Role[0-9A-F]{8}$`).test(id)) ?? [];
  if (!role) throw new Error(`There is no role of ${construct}.`);
  return resourcesOf(template, 'IAM::Policy')
    .filter(([, { Properties }]) => Properties.Roles.some(({ Ref }: { Ref: string }) => Ref === role))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
}

export const actionsOf = ({ Action }: Statement): string[] => [Action].flat();
