import { CfnOutput, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  DomainName,
  EndpointType,
  type IResource,
  LambdaIntegration,
  LogGroupLogDestination,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import { addGatewayResponses } from './gatewayResponses.ts';

/** The path as it is in the contract, never as it was called: that one holds people's addresses. */
const accessLog = {
  request_id: '$context.requestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  path: '$context.resourcePath',
  status: '$context.status',
  source: '$context.identity.sourceIp',
  user_agent: '$context.identity.userAgent',
  response_bytes: '$context.responseLength',
  duration_ms: '$context.responseLatency',
  integration_status: '$context.integration.status',
  integration_error: '$context.integration.error',
  gateway_error: '$context.error.responseType',
};

/** The REST API; endpoints are added to it one by one. */
export class Api extends Construct {
  readonly rest: RestApi;
  readonly publicUrl: string;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const logs = new LogGroup(this, 'AccessLog', {
      retention: settings.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.rest = new RestApi(this, 'Rest', {
      description: 'Mailroom',
      endpointTypes: [EndpointType.REGIONAL],
      // A compressed answer leaves a function in base64, and is only decoded for types that are named here; the Accept
      // header decides, which mostly says */*. Request bodies then reach functions in base64 as well.
      binaryMediaTypes: ['*/*'],
      disableExecuteApiEndpoint: settings.domainName !== undefined,
      // The account's own setting, without which no stage may log: it stays when this stack goes.
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName: settings.stage,
        accessLogDestination: new LogGroupLogDestination(logs),
        accessLogFormat: AccessLogFormat.custom(JSON.stringify(accessLog)),
        throttlingRateLimit: settings.requestsPerSecond,
        throttlingBurstLimit: settings.burstRequests,
      },
    });
    addGatewayResponses(this.rest, settings.requestsPerMinute);
    this.publicUrl = publicUrl(this.rest, settings);
    if (settings.domainName && settings.certificateArn) this.#serveAt(settings.domainName, settings.certificateArn);
    acknowledgeFindings(this.rest);
  }

  /**
   * Sends calls of these methods and this path (as in the contract) to a function. One permission for the API and the
   * function, and not one for each method, so that HEAD costs a stack a single resource.
   */
  add(methods: readonly string[], path: string, handler: IFunction): void {
    const integration = new LambdaIntegration(handler, { scopePermissionToMethod: false });
    for (const method of methods) this.rest.root.resourceForPath(path).addMethod(method, integration);
  }

  /**
   * Sends everything else to one function: other methods of a path that exists, and paths that do not. Comes last. One
   * permission for the whole API, instead of one for each path.
   */
  addFallback(handler: IFunction): void {
    const integration = new LambdaIntegration(handler, { scopePermissionToMethod: false });
    const known = [...resourcesUnder(this.rest.root)];
    for (const resource of known) resource.addMethod('ANY', integration);
    this.rest.root.addResource('{proxy+}').addMethod('ANY', integration);
  }

  #serveAt(domainName: string, certificateArn: string): void {
    const domain = new DomainName(this, 'Domain', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
      mapping: this.rest,
    });
    new CfnOutput(this, 'DomainTarget', {
      description: `Point ${domainName} here (CNAME or alias)`,
      value: domain.domainNameAliasDomainName,
    });
  }
}

/** Built from the API's id and the stage's name: a reference to the stage would close a circle through the functions. */
function publicUrl(rest: RestApi, { domainName, stage, region }: Settings): string {
  return domainName
    ? `https://${domainName}`
    : `https://${rest.restApiId}.execute-api.${region}.${rest.stack.urlSuffix}/${stage}`;
}

function* resourcesUnder(resource: IResource): Generator<IResource> {
  yield resource;
  for (const child of resource.node.children) {
    if ('addMethod' in child && 'path' in child) yield* resourcesUnder(child as unknown as IResource);
  }
}

function acknowledgeFindings(rest: RestApi): void {
  const findings = {
    'AwsSolutions-APIG2':
      'Functions check each request against the contract and name everything that is wrong with it.',
    'AwsSolutions-APIG3': 'A firewall costs money every month: whoever wants one associates it with the stage.',
    'AwsSolutions-APIG4': 'Functions authenticate: keys are hashes in the table, and a revoked one is refused at once.',
    'AwsSolutions-APIG6': 'The access log tells of failures; execution logs would go to a group without retention.',
    'AwsSolutions-COG4': 'Callers are applications with keys, not users of a pool.',
    'Serverless-APIGWXrayEnabled': 'Requests are followed by their id in the logs; traces would cost per call.',
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
      'The policy that API Gateway asks for, in the account-wide role with which it writes logs.',
  };
  Validations.of(rest).acknowledge(...Object.entries(findings).map(([id, reason]) => ({ id, reason })));
}
