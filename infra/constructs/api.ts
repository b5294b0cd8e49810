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
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Throttle } from '../../shared/contract/route.ts';
import { type Settings, serviceName, settingVariables } from '../settings.ts';
import { accessLog } from './accessLog.ts';
import { type ApiTarget, apiDefinition, binaryMediaTypes } from './apiDefinition.ts';
import { constructId } from './constructId.ts';
import { Firewall } from './firewall.ts';

/** A function with its methods and path, and the group of functions that it belongs to. */
interface RoutedFunction extends Omit<ApiTarget, 'invoker'> {
  readonly group: string;
}

export interface ApiProps {
  readonly settings: Settings;
  readonly targets: readonly RoutedFunction[];
  readonly fallback: Pick<RoutedFunction, 'group' | 'handler'>;
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

  constructor(
    scope: Construct,
    id: string,
    { settings, targets: routed, fallback, extraVariables = () => ({}) }: ApiProps,
  ) {
    super(scope, id);
    const invokers = this.#addInvokers([...routed, fallback]);
    const invocable = <One extends { readonly group: string }>({ group, ...one }: One) => {
      const invoker = invokers.get(group);
      if (!invoker) throw new Error(`${group} has no role that invokes its functions.`);
      return { ...one, invoker };
    };
    const targets = routed.map(invocable);
    const logs = new LogGroup(this, 'AccessLog', {
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // CloudWatch distinguishes APIs by name, not by id.
    const name = serviceName(settings);
    this.rest = new SpecRestApi(this, 'Rest', {
      restApiName: name,
      apiDefinition: ApiDefinition.fromInline(
        apiDefinition({ name, targets, fallback: invocable(fallback), settings }),
      ),
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
    // The stage switches to a new deployment only once API Gateway may invoke all of its functions.
    stage.node.addDependency(...invokers.values());
    for (const domain of settings.domains) this.#serveAt(domain);
    const { requestsPerFiveMinutes } = settings.firewall;
    if (requestsPerFiveMinutes) new Firewall(this, 'Firewall', { stage, requestsPerFiveMinutes });
    acknowledgeFindings(this);
  }

  /**
   * A role for each group of functions by which API Gateway invokes them. A permission on each function would be a
   * resource for each route, and CloudFormation limits the resources of a stack.
   */
  #addInvokers(targets: readonly Pick<RoutedFunction, 'group' | 'handler'>[]): ReadonlyMap<string, Role> {
    const groups = Map.groupBy(targets, ({ group }) => group);
    return new Map([...groups].map(([group, own]) => [group, this.#addInvoker(group, own)]));
  }

  #addInvoker(group: string, functions: readonly Pick<RoutedFunction, 'handler'>[]): Role {
    const resources = [...new Set(functions.map(({ handler }) => handler))].map(({ functionArn }) => functionArn);
    const statements = [new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources })];
    return new Role(this, `Invoke${constructId(group)}`, {
      description: `Mailroom: API Gateway invokes the functions of ${group}`,
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      // Part of the role, so that the role never exists without it.
      inlinePolicies: { invoke: new PolicyDocument({ statements }) },
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
