import type { Endpoint } from '../../infra/endpoints.ts';
import type { StackLinks } from '../../infra/release/stackLinks.ts';
import { type SynthesisOptions, synthesize } from '../../infra/release/synthesis.ts';

export { uncheckedApp } from '../../infra/release/synthesis.ts';

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly DependsOn?: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: a template is JSON of any shape
  readonly Properties: any;
}

export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: string } }>>;
}

/** A resource and where it is. */
export interface Found {
  readonly stack: string;
  readonly id: string;
  readonly resource: Resource;
}

export const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/4a7c';
/** Settings that leave nothing for a synthesis to warn about. */
const complete = { alarmEmail: 'a@example.com', domains: [{ name: 'mail.example.com', certificateArn }] };

const regional = (service: string, resource: string) => `arn:aws:${service}:eu-west-3:111122223333:${resource}`;
/** Settings that change everything that settings can change, but the user pool. */
export const fullSettings = {
  stage: 'dev',
  region: 'eu-west-3',
  domains: ['mail.example.com', 'post.example.com'].map((name) => ({
    name,
    certificateArn: regional('acm', 'certificate/4a7c'),
  })),
  closeDefaultHost: true,
  topicKey: true,
  dashboard: true,
  workspaceMetrics: true,
  mailActivity: true,
  tracing: true,
  reportLines: true,
  narrowKeyWrites: true,
  concurrency: 60,
  campaignRunners: 16,
  webhookConcurrency: 50,
  trackingDomain: 'click.example.com',
  alarmEmail: 'operator@example.com',
  tableName: 'restored-table',
  reservedConcurrency: { sending: 5 },
  firewall: { requestsPerFiveMinutes: 3000 },
  console: {
    provider: {
      issuer: 'https://login.example.com',
      clientId: 'mailroom',
      clientSecretArn: regional('secretsmanager', 'secret:mailroom-console-AbCdEf'),
    },
  },
};

/** The stacks of `infra/app.ts` in the order of their deployment, with functions that have no code. */
export function deploymentOf(settings: object = {}, options: SynthesisOptions = {}): Deployment {
  const { stacks, warnings, links } = synthesize({ ...complete, ...settings }, options);
  return new Deployment(new Map(stacks.map(({ name, template }) => [name, template])), warnings, links);
}

/** The templates of all stacks by name, in the order of their deployment. */
export const templatesOf = (settings?: object, contract?: readonly Endpoint[]): ReadonlyMap<string, Template> =>
  deploymentOf(settings, contract && { contract }).stacks;

/** The stacks of a synthesized app, and the ways between them. */
export class Deployment {
  /** By name. */
  readonly stacks: ReadonlyMap<string, Template>;
  /** Printed by a synthesis. */
  readonly warnings: readonly string[];

  readonly links: readonly StackLinks[];

  constructor(stacks: ReadonlyMap<string, Template>, warnings: readonly string[], links: readonly StackLinks[]) {
    this.stacks = stacks;
    this.warnings = warnings;
    this.links = links;
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
