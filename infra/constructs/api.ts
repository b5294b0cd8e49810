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
import type { Throttle } from '../../shared/contract/route.ts';
import { type Settings, serviceName, settingVariables } from '../settings.ts';
import { accessLog } from './accessLog.ts';
import { type ApiTarget, apiDefinition, binaryMediaTypes } from './apiDefinition.ts';
import { constructId } from './constructId.ts';
import { Firewall } from './firewall.ts';

export interface ApiProps {
  readonly settings: Settings;
  readonly targets: readonly ApiTarget[];
  readonly fallback: IFunction;
  /** Stage variables besides the settings, given the public address. */
  readonly extraVariables?: (publicUrl: string) => Readonly<Record<string, string>>;
}

/**
 * The REST API with all its paths as one resource. The name of its deployment is a hash of the whole document, so that any
 * change of a route creates a new deployment, which replaces the former at once.
 */
export class Api extends Construct {
  readonly rest: SpecRestApi;
  readonly publicUrl: string;

  constructor(scope: Construct, id: string, { settings, targets, fallback, extraVariables = () => ({}) }: ApiProps) {
    super(scope, id);
    const logs = new LogGroup(this, 'AccessLog', {
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // CloudWatch distinguishes APIs by name, not by id.
    const name = serviceName(settings);
    this.rest = new SpecRestApi(this, 'Rest', {
      restApiName: name,
      apiDefinition: ApiDefinition.fromInline(apiDefinition({ name, targets, fallback, settings })),
      mode: RestApiMode.OVERWRITE,
      endpointTypes: [EndpointType.REGIONAL],
      // API Gateway compresses and decodes by these types. A compressed answer is base64 and is decoded only for them.
      // The Accept header of the request decides, which is mostly */*, so all types are binary, and request bodies
      // reach functions in base64.
      binaryMediaTypes,
      disableExecuteApiEndpoint: settings.closeDefaultHost,
      // An account setting that stages need for logging: it stays when this stack is deleted.
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
      tracingEnabled: settings.tracing,
      // For methods without a throttle of their own: HEAD, and the methods that lead to the fallback.
      ...throttling(settings, 'others'),
      methodOptions: Object.fromEntries(
        targets
          .filter(({ throttle }) => throttle !== 'others')
          .flatMap(({ methods, path, throttle }) =>
            methods
              .filter((method) => method !== 'HEAD')
              .map((method) => [`${path}/${method}`, throttling(settings, throttle)]),
          ),
      ),
      variables: { ...settingVariables(settings, this.publicUrl), ...extraVariables(this.publicUrl) },
    });
    this.rest.deploymentStage = stage;
    for (const { id, path, handler } of targets) this.#permit(id, handler, path);
    this.#permit('Fallback', fallback, '/*');
    // The stage switches to a new deployment only once API Gateway may invoke all of its functions.
    for (const child of this.node.children) if (child instanceof CfnPermission) stage.node.addDependency(child);
    for (const domain of settings.domains) this.#serveAt(domain);
    const { requestsPerFiveMinutes } = settings.firewall;
    if (requestsPerFiveMinutes) new Firewall(this, 'Firewall', { stage, requestsPerFiveMinutes });
    acknowledgeFindings(this);
  }

  /** Lets the API invoke a function for its path, with any method. */
  #permit(id: string, handler: IFunction, path: string): void {
    handler.addPermission(`Invoke${id}`, {
      scope: this,
      principal: new ServicePrincipal('apigateway.amazonaws.com'),
      sourceArn: this.rest.arnForExecuteApi('*', path.replaceAll(/\{[^}]+\}/g, '*')),
    });
  }

  /** Named by the domain, so that a change of the list does not replace it. */
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
 * A throttle applies to each method: "throttling limits are applied at the API method level for a stage" (API Gateway
 * Developer Guide, "Throttle requests to your REST APIs"), so that a flood of one method does not affect others.
 */
function throttling({ throttles, throttlePercent }: Settings, throttle: Throttle) {
  const { perSecond, burst } = throttles[throttle];
  return {
    throttlingRateLimit: Math.round(perSecond * throttlePercent) / 100,
    throttlingBurstLimit: Math.max(1, Math.round((burst * throttlePercent) / 100)),
  };
}

/**
 * The address in mailed links. Without a domain it is built from the API's id: a reference to the stage would be
 * circular.
 */
function publicUrl(rest: SpecRestApi, { domains: [domain], stage, region }: Settings): string {
  return domain
    ? `https://${domain.name}`
    : `https://${rest.restApiId}.execute-api.${region}.${rest.stack.urlSuffix}/${stage}`;
}

function acknowledgeFindings(api: Api): void {
  const findings = {
    'AwsSolutions-APIG2': 'Functions validate each request against the contract and report every problem.',
    'AwsSolutions-APIG3': 'A firewall costs money every month: the settings can ask for it.',
    'AwsSolutions-APIG6': 'The access log records failures; execution logs would go to a group without retention.',
    'Serverless-APIGWXrayEnabled': 'Requests are followed by their id in the logs; traces cost money for each call.',
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
      'The policy that API Gateway requires of the account-wide role with which it writes logs.',
  };
  Validations.of(api).acknowledge(...Object.entries(findings).map(([id, reason]) => ({ id, reason })));
}
