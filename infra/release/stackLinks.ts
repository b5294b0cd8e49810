import type { CloudAssembly } from 'aws-cdk-lib/cx-api';

/** What CloudFormation's rules about several stacks need to know of one: what it gives to others, and what it takes. */
export interface StackLinks {
  readonly name: string;
  /** The stacks that are deployed before it. */
  readonly dependencies: readonly string[];
  /** By name: the exported value, and the resource that it is of with the names that it was given. */
  readonly exports: Readonly<Record<string, { readonly value: string; readonly source: string | null }>>;
  readonly outputs: readonly string[];
  readonly imports: readonly string[];
  /** Outputs of other stacks that it reads (`Fn::GetStackOutput`), as `stack.output`. */
  readonly reads: readonly string[];
  /** Resources with a name of ours, which an account has once: `AWS::SQS::Queue mailroom-prod-feedback`. */
  readonly named: readonly string[];
}

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

interface StackTemplate {
  readonly Resources?: Readonly<Record<string, Resource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown; readonly Export?: { readonly Name: string } }>>;
}

/** The links of all stacks of a synthesized app, in the order of their deployment. */
export function linksOf({ stacks }: CloudAssembly): StackLinks[] {
  const names = new Set(stacks.map(({ stackName }) => stackName));
  return stacks.map(({ stackName, template, dependencies }) => ({
    name: stackName,
    dependencies: dependencies.map(({ id }) => id).filter((id) => names.has(id)),
    ...linksOfTemplate(template),
  }));
}

function linksOfTemplate(template: StackTemplate): Omit<StackLinks, 'name' | 'dependencies'> {
  const outputs = Object.entries(template.Outputs ?? {});
  const reads = valuesOf(template, 'Fn::GetStackOutput') as { StackName: string; OutputName: string }[];
  return {
    exports: Object.fromEntries(
      outputs.flatMap(([, { Export, Value }]) =>
        Export ? [[Export.Name, { value: JSON.stringify(Value), source: sourceOf(template, Value) }]] : [],
      ),
    ),
    outputs: outputs.map(([name]) => name).sort(),
    imports: distinct(valuesOf(template, 'Fn::ImportValue') as string[]),
    reads: distinct(reads.map(({ StackName, OutputName }) => `${StackName}.${OutputName}`)),
    named: distinct(
      Object.values(template.Resources ?? {}).flatMap((resource) =>
        namesOf(resource).map(([, name]) => `${resource.Type} ${name}`),
      ),
    ),
  };
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].sort();

/** All values of an intrinsic function in a template. */
function valuesOf(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === name ? [inner] : valuesOf(inner, name)));
}

/** The resource behind an exported value. Another type, or another name of ours, is another resource. */
function sourceOf({ Resources = {} }: StackTemplate, value: unknown): string | null {
  const { Ref, 'Fn::GetAtt': attribute } = Object(value) as { Ref?: string; 'Fn::GetAtt'?: [string] };
  const resource = Resources[Ref ?? attribute?.[0] ?? ''];
  if (!resource) return null;
  return [resource.Type, ...namesOf(resource).map(([property, name]) => `${property}=${name}`)].join(' ');
}

const nameProperties = [
  'QueueName',
  'TopicName',
  'BucketName',
  'TableName',
  'FunctionName',
  'RoleName',
  'DashboardName',
];

const namesOf = ({ Properties = {} }: Resource): [property: string, name: string][] =>
  nameProperties.flatMap((property): [string, string][] => {
    const name = Properties[property];
    return typeof name === 'string' ? [[property, name]] : [];
  });
