import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Grant, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  ApplicationLogLevel,
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Needs } from '../../shared/contract/route.ts';
import { type BundledFunction, bundleHandler } from '../bundle.ts';
import { memoryOf } from '../memory.ts';
import { type Settings, serviceName } from '../settings.ts';
import { environmentOf, grantNeeds, type Resources } from './needs.ts';

/** What all functions of a deployment share. */
export interface FunctionSurroundings {
  readonly settings: Settings;
  readonly resources: Resources;
  readonly bundles: ReadonlyMap<string, BundledFunction>;
}

export interface ServiceFunctionProps extends FunctionSurroundings {
  /** As the settings call it. */
  readonly name: string;
  /** `POST /api/v1/emails`, for people who look at a list of functions. */
  readonly description: string;
  readonly entry: string;
  readonly needs: Needs;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes?: number;
  /** So many at once are kept for it, and it has no more. */
  readonly reservedConcurrency?: number | undefined;
  /** Settings of the deployment; an endpoint has none here, API Gateway hands them over with each call. */
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * Node looks names up in half of these threads, two by default: as many strangers' webhook hosts whose DNS never
 * answers would hold up every other look-up of the process, those of the SDK included.
 */
const threads = 64;

/** One function with a role and a log group of its own. */
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
    this.handler = new LambdaFunction(this, 'Function', {
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: bundleHandler,
      code: Code.fromAsset(folderOf(props)),
      role: this.role,
      memorySize: memoryOf(settings, props.name, props.memoryMegabytes),
      timeout: Duration.seconds(props.timeoutSeconds),
      ...(props.reservedConcurrency && { reservedConcurrentExecutions: props.reservedConcurrency }),
      environment: { ...commonEnvironment(settings), ...environmentOf(needs, resources), ...props.variables },
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      applicationLogLevelV2: ApplicationLogLevel[settings.logLevel],
      // Lambda's own start, end and report lines would be half of what is stored.
      systemLogLevelV2: SystemLogLevel.WARN,
    });
  }
}

function folderOf({ bundles, entry }: ServiceFunctionProps): string {
  const bundle = bundles.get(entry);
  if (!bundle) throw new Error(`${entry} was not bundled.`);
  return bundle.folder;
}

const commonEnvironment = (settings: Settings) => ({
  POWERTOOLS_SERVICE_NAME: serviceName(settings),
  UV_THREADPOOL_SIZE: String(threads),
});
