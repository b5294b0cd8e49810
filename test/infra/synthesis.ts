import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type * as z from 'zod';
import type { settingsSchema } from '../../infra/settings.ts';

const project = resolve(import.meta.dirname, '..', '..');
const cdk = join(project, 'node_modules', 'aws-cdk', 'bin', 'cdk');

/** Synthesis takes some ten seconds, most of them CloudFormation's own rules; more on a machine that is busy. */
export const synthesisTimeoutMilliseconds = 240_000;

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly DependsOn?: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: a template is JSON of any shape
  readonly Properties: any;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

/** A resource and where it is. */
export interface Found {
  readonly stack: string;
  readonly id: string;
  readonly resource: Resource;
}

/**
 * Runs `cdk synth` with these settings as somebody would who has no AWS account: an empty home, no credentials, no region.
 * Rejects with what it printed when the synthesis fails. `isStubbed`: of functions without code, which half of it is for.
 */
export async function synthesise(
  settings: z.input<typeof settingsSchema> = {},
  context: Readonly<Record<string, string>> = {},
  { isStubbed = false }: { readonly isStubbed?: boolean } = {},
): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'mailroom-synth-'));
  const file = join(folder, 'settings.json');
  await writeFile(file, JSON.stringify(settings));
  const options = Object.entries({ ...context, settings: file }).flatMap(([name, value]) => [
    '--context',
    `${name}=${value}`,
  ]);
  const output = join(folder, 'out');
  const app = isStubbed ? ['--app', 'node test/infra/stubbedApp.ts'] : [];
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [cdk, 'synth', '--quiet', '--no-notices', '--output', output, ...app, ...options],
      { cwd: project, env: { HOME: folder, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) } },
    );
    return new Deployment(await templatesIn(output), stdout + stderr);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function templatesIn(folder: string): Promise<Map<string, Template>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.template.json'));
  const templates = files.map(
    async (file): Promise<[string, Template]> => [
      file.replace('.template.json', ''),
      JSON.parse(await readFile(join(folder, file), 'utf8')),
    ],
  );
  return new Map(await Promise.all(templates));
}

/** The stacks of a synthesised app, and the ways between them. */
export class Deployment {
  /** By name. */
  readonly stacks: ReadonlyMap<string, Template>;
  /** What was printed: warnings, for instance. */
  readonly said: string;

  constructor(stacks: ReadonlyMap<string, Template>, said: string) {
    this.stacks = stacks;
    this.said = said;
  }

  /** The one whose name ends so; `''` is the stack with the API. */
  stack(suffix: string): Template {
    const found = [...this.stacks].find(([name]) => name.replace(/^mailroom-[^-]+-?/, '') === suffix);
    if (!found) throw new Error(`There is no stack ${suffix}.`);
    return found[1];
  }

  /** Every resource of a type, `Lambda::Function` for instance. */
  resources(type: string): Found[] {
    return [...this.stacks].flatMap(([stack, { Resources }]) =>
      Object.entries(Resources)
        .filter(([, resource]) => resource.Type === `AWS::${type}`)
        .map(([id, resource]) => ({ stack, id, resource })),
    );
  }

  // biome-ignore lint/suspicious/noExplicitAny: a template is JSON of any shape
  properties(type: string): any[] {
    return this.resources(type).map(({ resource }) => resource.Properties);
  }

  /** What a value in a stack refers to, in this stack or in the one that it is taken from. */
  referred(stack: string, value: unknown): Found {
    const { Ref, ...intrinsics } = value as Record<string, unknown>;
    const imported = intrinsics['Fn::ImportValue'] as string | undefined;
    if (imported) {
      const [exporter = '', output = ''] = imported.split(':');
      return this.referred(exporter, this.stacks.get(exporter)?.Outputs?.[output]?.Value);
    }
    const read = intrinsics['Fn::GetStackOutput'] as { StackName: string; OutputName: string } | undefined;
    if (read) return this.referred(read.StackName, this.stacks.get(read.StackName)?.Outputs?.[read.OutputName]?.Value);
    const id = (Ref ?? (intrinsics['Fn::GetAtt'] as string[] | undefined)?.[0]) as string;
    const resource = this.stacks.get(stack)?.Resources[id];
    if (!resource) throw new Error(`${JSON.stringify(value)} of ${stack} refers to nothing.`);
    return { stack, id, resource };
  }

  /** What the role may do whose construct is called so. */
  statementsOf(construct: string): Statement[] {
    const role = this.resources('IAM::Role').find(({ id }) => new RegExp(`^${construct}Role[0-9A-F]{8}$`).test(id));
    if (!role) throw new Error(`There is no role of ${construct}.`);
    return this.resources('IAM::Policy')
      .filter(({ resource }) => resource.Properties.Roles.some(({ Ref }: { Ref: string }) => Ref === role.id))
      .flatMap(({ resource }) => resource.Properties.PolicyDocument.Statement);
  }
}

export interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: Record<string, Record<string, unknown>>;
}

export const actionsOf = ({ Action }: Statement): string[] => [Action].flat();
