import { CfnOutput, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  ApiDefinition,
  Deployment,
  DomainName,
  EndpointType,
  LogGroupLogDestination,
  RestApiMode,
  SecurityPolicy,
  SpecRestApi,
  Stage,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPermission, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Budget } from '../endpoint.ts';
import { handedOver, type Settings, serviceName } from '../settings.ts';
import { accessLog } from './accessLog.ts';
import { type ApiTarget, apiDefinition, binaryMediaTypes } from './apiDefinition.ts';
import { constructId } from './constructId.ts';
import { Firewall } from './firewall.ts';

export interface ApiProps {
  readonly settings: Settings;
  readonly targets: readonly ApiTarget[];
  readonly fallback: IFunction;
  /** What the functions are told besides the settings, by the address that the API answers under. */
  readonly told?: (publicUrl: string) => Readonly<Record<string, string>>;
}

/**
 * The REST API with all its paths: one resource, however many routes there are. Its deployment is named by a hash of the
 * whole document, so that any change of a route makes a new one, which replaces the former at once.
 */
export class Api extends Construct {
  readonly rest: SpecRestApi;
  readonly publicUrl: string;

  constructor(scope: Construct, id: string, { settings, targets, fallback, told = () => ({}) }: ApiProps) {
    super(scope, id);
    const logs = new LogGroup(this, 'AccessLog', {
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // CloudWatch tells APIs apart by their names, not by their ids.
    const name = serviceName(settings);
    this.rest = new SpecRestApi(this, 'Rest', {
      restApiName: name,
      apiDefinition: ApiDefinition.fromInline(apiDefinition({ name, targets, fallback, settings })),
      mode: RestApiMode.OVERWRITE,
      endpointTypes: [EndpointType.REGIONAL],
      // A compressed answer leaves a function in base64, and is only decoded for types that are named here; the Accept
      // header decides, which mostly says */*. Request bodies then reach functions in base64 as well.
      binaryMediaTypes,
      disableExecuteApiEndpoint: settings.closeDefaultHost,
      // The account's own setting, without which no stage may log: it stays when this stack goes.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deploy: false,
    });
    this.publicUrl = publicUrl(this.rest, settings);
    const stage = new Stage(this, 'Stage', {
      stageName: settings.stage,
      deployment: new Deployment(this, 'Deployment', { api: this.rest }),
      accessLogDestination: new LogGroupLogDestination(logs),
      accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLog)),
      // What is not named below: methods and paths that lead to the fallback.
      ...throttling(settings, 'others'),
      methodOptions: Object.fromEntries(
        targets.flatMap(({ methods, path, budget }) =>
          methods.map((method) => [`${path}/${method}`, throttling(settings, budget)]),
        ),
      ),
      variables: { ...handedOver(settings, this.publicUrl), ...told(this.publicUrl) },
    });
    this.rest.deploymentStage = stage;
    for (const { id, path, handler } of targets) this.#permit(id, handler, path);
    this.#permit('Fallback', fallback, '/*');
    // The stage turns to a new deployment when every function of it may be started.
    for (const child of this.node.children) if (child instanceof CfnPermission) stage.node.addDependency(child);
    for (const domain of settings.domains) this.#serveAt(domain);
    const { requestsPerFiveMinutes } = settings.firewall;
    if (requestsPerFiveMinutes) new Firewall(this, 'Firewall', { stage, requestsPerFiveMinutes });
    acknowledgeFindings(this);
  }

  /** Lets the API start a function for its path, whatever the method. */
  #permit(id: string, handler: IFunction, path: string): void {
    handler.addPermission(`Invoke${id}`, {
      scope: this,
      principal: new ServicePrincipal('apigateway.amazonaws.com'),
      sourceArn: this.rest.arnForExecuteApi('*', path.replaceAll(/\{[^}]+\}/g, '*')),
    });
  }

  /** Named by itself, so that neither its place in the list nor the other domains can make it anew. */
  #serveAt({ name, certificateArn }: Settings['domains'][number]): void {
    const id = constructId(name);
    const domain = new DomainName(this, `Domain${id}`, {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, `Certificate${id}`, certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
      mapping: this.rest,
    });
    new CfnOutput(this.rest.stack, `Target${id}`, {
      description: `Point ${name} here (CNAME or alias)`,
      value: domain.domainNameAliasDomainName,
    });
  }
}

/**
 * Budgets are of each method alone: "throttling limits are applied at the API method level for a stage" (API Gateway
 * Developer Guide, "Throttle requests to your REST APIs"), so that a flood of one takes nothing from the others.
 */
function throttling({ throttles }: Settings, budget: Budget) {
  const { perSecond, burst } = throttles[budget];
  return { throttlingRateLimit: perSecond, throttlingBurstLimit: burst };
}

/** Where links in mail lead. Without a domain it is built of the API's id: the stage holds it, and cannot be asked. */
function publicUrl(rest: SpecRestApi, { domains: [domain], stage, region }: Settings): string {
  return domain
    ? `https://${domain.name}`
    : `https://${rest.restApiId}.execute-api.${region}.${rest.stack.urlSuffix}/${stage}`;
}

function acknowledgeFindings(api: Api): void {
  const findings = {
    'AwsSolutions-APIG2':
      'Functions check each request against the contract and name everything that is wrong with it.',
    'AwsSolutions-APIG3': 'A firewall costs money every month: it is there when the settings ask for it.',
    'AwsSolutions-APIG6': 'The access log tells of failures; execution logs would go to a group without retention.',
    'Serverless-APIGWXrayEnabled': 'Requests are followed by their id in the logs; traces would cost per call.',
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
      'The policy that API Gateway asks for, in the account-wide role with which it writes logs.',
  };
  Validations.of(api).acknowledge(...Object.entries(findings).map(([id, reason]) => ({ id, reason })));
}
