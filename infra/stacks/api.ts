import { ArnFormat, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { methodsOf } from '../../shared/contract/routing.ts';
import { Alarms } from '../constructs/alarms.ts';
import { Api } from '../constructs/api.ts';
import { addDashboard } from '../constructs/dashboard.ts';
import type { Resources } from '../constructs/needs.ts';
import { PoolSignIn } from '../constructs/operatorSignIn.ts';
import type { Endpoint } from '../endpoints.ts';
import { fallback, groupOf } from '../endpoints.ts';
import { consoleVariables, type Settings, serviceName } from '../settings.ts';
import { oldestRollback, version } from '../version.ts';

export interface ApiStackProps extends StackProps {
  readonly settings: Settings;
  readonly handlers: ReadonlyMap<Endpoint, IFunction>;
  readonly resources: Resources;
  readonly alarmTopics: readonly ITopic[];
}

/** Outputs of the console, by the variable with the value. The command line reads them too. */
const consoleOutputs = {
  ConsoleUrl: 'CONSOLE_URL',
  OidcIssuer: 'OIDC_ISSUER',
  OidcClientId: 'OIDC_CLIENT_ID',
  UserPoolId: 'USER_POOL_ID',
} as const;

/** The API over all functions, with its alarms, its dashboard, and the outputs for the command line. */
export class ApiStack extends Stack {
  readonly publicUrl: string;

  constructor(scope: Construct, id: string, { settings, handlers, resources, alarmTopics, ...props }: ApiStackProps) {
    // The template grows with every route, and CloudFormation takes 1 MB: without indentation it is far smaller.
    super(scope, id, { ...props, description: 'Mailroom: the API', suppressTemplateIndentation: true });
    const api = new Api(this, 'Api', {
      settings,
      targets: [...handlers]
        .filter(([endpoint]) => endpoint !== fallback)
        .map(([endpoint, handler]) => ({
          group: groupOf(endpoint),
          methods: methodsOf(endpoint),
          path: endpoint.path,
          handler,
          throttle: endpoint.throttle,
        })),
      fallback: { group: groupOf(fallback), handler: handlerOf(handlers, fallback) },
      extraVariables: (publicUrl) =>
        settings.console.deployed ? this.#addConsole(publicUrl, settings, resources) : {},
    });
    this.publicUrl = api.publicUrl;
    const alarms = new Alarms(this, 'Alarms', alarmTopics);
    alarms.watchApi(api.rest, settings);
    alarms.watchNotices(serviceName(settings));
    alarms.watchReputation();
    if (settings.dashboard) addDashboard(this, 'Dashboard', { settings, api: api.rest, resources });
    this.#addOutputs(resources, api, settings);
    this.#addThrottlePolicy(resources, api);
  }

  /** Operators sign in at the provider of the settings, in the deployment's own user pool, or by links only. */
  #addConsole(publicUrl: string, { console: { provider } }: Settings, { users }: Resources): Record<string, string> {
    const signIn = users && new PoolSignIn(this, 'SignIn', { publicUrl, users });
    const variables = consoleVariables(publicUrl, provider ?? signIn?.provider ?? null, users?.userPoolId);
    for (const [name, variable] of Object.entries(consoleOutputs)) {
      if (variables[variable]) new CfnOutput(this, name, { value: variables[variable] });
    }
    return variables;
  }

  /** Outputs that the command line reads (functions/cli/connect/stack.ts). */
  #addOutputs(
    { table, feedback, secret, consoleSecret, queueAddresses, schedules, files }: Resources,
    { rest }: Api,
    { sending, mailActivity, eventRetentionDays }: Settings,
  ): void {
    const outputs: Record<string, string> = {
      Version: version,
      OldestRollback: oldestRollback,
      PublicUrl: this.publicUrl,
      RestApiId: rest.restApiId,
      Stage: rest.deploymentStage.stageName,
      TableName: table.tableName,
      FilesBucket: files.bucketName,
      ConfigurationSet: feedback.get('feedback')?.configurationSet.configurationSetName ?? '',
      SecretId: secret.secretArn,
      ConsoleSecretId: consoleSecret.secretArn,
      SchedulerRoleArn: schedules.role.roleArn,
      ScheduleGroup: schedules.group.scheduleGroupName,
      QueueUrlPrefix: queueAddresses.urlPrefix,
      QueueArnPrefix: queueAddresses.arnPrefix,
      Sending: sending,
      MailActivity: String(mailActivity),
      EventRetentionDays: String(eventRetentionDays),
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }

  /** A policy for exactly what `mailroom throttle` needs, for people on call when the API is flooded. */
  #addThrottlePolicy({ table }: Resources, { rest }: Api): void {
    const stage = `/restapis/${rest.restApiId}/stages/${rest.deploymentStage.stageName}`;
    const allow = (actions: string[], resource: string, conditions?: object) =>
      new PolicyStatement({ actions, resources: [resource], ...(conditions && { conditions }) });
    const { managedPolicyArn } = new ManagedPolicy(this, 'ThrottlePolicy', {
      description: 'Mailroom: lower and restore the throttles of the API',
      statements: [
        allow(
          ['apigateway:GET', 'apigateway:PATCH'],
          this.formatArn({
            service: 'apigateway',
            account: '',
            resource: stage,
            arnFormat: ArnFormat.NO_RESOURCE_NAME,
          }),
        ),
        allow(['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'], this.stackId),
        // For the entry in the audit log.
        allow(['dynamodb:PutItem', 'dynamodb:UpdateItem'], table.tableArn, {
          'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['AUDIT'] },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        }),
      ],
    });
    new CfnOutput(this, 'ThrottlePolicyArn', { value: managedPolicyArn });
  }
}

function handlerOf(handlers: ReadonlyMap<Endpoint, IFunction>, endpoint: Endpoint): IFunction {
  const handler = handlers.get(endpoint);
  if (!handler) throw new Error(`${endpoint.id} has no function.`);
  return handler;
}
