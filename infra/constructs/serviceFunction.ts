import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Needs } from '../../shared/contract/route.ts';
import { type BundledFunction, bundleHandler } from '../bundle.ts';
import { memoryOf } from '../endpoints.ts';
import { type Settings, serviceName } from '../settings.ts';
import { environmentOf, grantNeeds, type Resources } from './needs.ts';

/** Shared by all functions of a deployment. */
export interface SharedFunctionProps {
  readonly settings: Settings;
  readonly resources: Resources;
  readonly bundles: ReadonlyMap<string, BundledFunction>;
}

export interface ServiceFunctionProps extends SharedFunctionProps {
  /** The function's name in the settings. */
  readonly name: string;
  /** Shown in the list of functions, such as `POST /api/v1/emails`. */
  readonly description: string;
  readonly entry: string;
  readonly needs: Needs;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes?: number;
  /** True when an invocation may lead to another one of the same function. */
  readonly callsItself?: boolean;
  /** Concurrent executions kept for it, which are also its maximum. */
  readonly reservedConcurrency?: number | undefined;
  /** Settings of the deployment for workers; endpoints get them as stage variables. */
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * Node uses at most half of these threads for DNS, two by default: two webhook hosts whose DNS never answers would
 * block all other lookups of the process, the SDK's included.
 */
const threads = 64;

/** A function with its own role and log group. */
export class ServiceFunction extends Construct {
  readonly handler: LambdaFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { settings, resources, needs } = props;
    const logGroup = new LogGroup(this, 'Logs', {
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    Grant.addToPrincipal({
      grantee: this.role,
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resourceArns: [logGroup.logGroupArn],
    });
    grantNeeds(this.role, needs, resources);
    const environment = { ...commonEnvironment(settings), ...environmentOf(needs, resources), ...props.variables };
    this.node.addValidation({ validate: () => tooLarge(Stack.of(this).resolve(environment)) });
    this.handler = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: bundleHandler,
      code: Code.fromAsset(folderOf(props)),
      role: this.role,
      memorySize: memoryOf(settings, props.name, props.memoryMegabytes),
      timeout: Duration.seconds(props.timeoutSeconds),
      // Otherwise Lambda drops a message after about 16 rounds (Developer Guide, "recursive loop detection").
      ...(props.callsItself && { recursiveLoop: RecursiveLoop.ALLOW }),
      ...(props.reservedConcurrency && { reservedConcurrentExecutions: props.reservedConcurrency }),
      environment,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel[settings.logLevel],
      // Lambda's start, end and report lines would make up half of the log.
      systemLogLevelV2: settings.reportLines ? SystemLogLevel.INFO : SystemLogLevel.WARN,
      ...(settings.tracing && { tracing: Tracing.ACTIVE }),
    });
    if (settings.tracing) {
      const id = 'AwsSolutions-IAM5[Resource::*]';
      Validations.of(this.role).acknowledge({ id, reason: 'xray:PutTraceSegments takes no resource.' });
    }
  }
}

function folderOf({ bundles, entry }: ServiceFunctionProps): string {
  const bundle = bundles.get(entry);
  if (!bundle) throw new Error(`${entry} was not bundled.`);
  return bundle.folder;
}

/**
 * Lambda allows 4,096 bytes of variables (Developer Guide, "Lambda quotas"); the rest is reserved for names that only
 * AWS knows.
 */
const maxEnvironmentBytes = 3500;

function tooLarge(environment: unknown): string[] {
  const bytes = longestLength(environment);
  return bytes > maxEnvironmentBytes
    ? [
        `Its variables may have ${bytes} bytes; more than ${maxEnvironmentBytes} are too near to Lambda's limit of 4,096.`,
      ]
    : [];
}

const longestParameters: Readonly<Record<string, number>> = {
  'AWS::Region': 'ap-southeast-1'.length,
  'AWS::AccountId': 12,
  'AWS::Partition': 'aws-us-gov'.length,
  'AWS::URLSuffix': 'amazonaws.com.cn'.length,
};

/** For names and ARNs that CloudFormation creates: names have up to 64 characters. */
const longestArn = 140;

/** The length of a resolved value as JSON, with the longest values that CloudFormation may fill in. */
function longestLength(value: unknown): number {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value).length;
  const entries = Object.entries(value);
  const [[name, inner] = ['', null]] = entries;
  if (name === 'Fn::Join')
    return 2 + (inner[1] as unknown[]).reduce<number>((sum, part) => sum + longestLength(part) - 2, 0);
  if (name === 'Ref' || name.startsWith('Fn::')) return 2 + (longestParameters[inner] ?? longestArn);
  return 1 + entries.reduce((sum, [key, one]) => sum + key.length + 4 + longestLength(one), 0);
}

const commonEnvironment = (settings: Settings) => ({
  POWERTOOLS_SERVICE_NAME: serviceName(settings),
  UV_THREADPOOL_SIZE: String(threads),
});

const findings = {
  'Serverless-LambdaTracing': 'Requests are followed by their id in the logs; traces cost money for each call.',
  'Serverless-LambdaDLQ':
    'API Gateway and SQS wait for the answer, so a failed call is reported or received again; a rule starts its next ' +
    'run a minute later.',
  'Serverless-LambdaAsyncFailureDestination': 'As for Serverless-LambdaDLQ: nothing asynchronous must not be lost.',
};

/** Acknowledges cdk-nag's findings on every function, each with its reason. */
export function acknowledgeFunctions(stack: Stack): void {
  Validations.of(stack).acknowledge(...Object.entries(findings).map(([id, reason]) => ({ id, reason })));
}
