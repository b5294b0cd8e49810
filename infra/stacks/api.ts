import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { methodsOf } from '../../shared/contract/methods.ts';
import { Alarms } from '../constructs/alarms.ts';
import { Api } from '../constructs/api.ts';
import { constructId } from '../constructs/constructId.ts';
import { addDashboard } from '../constructs/dashboard.ts';
import type { Resources } from '../constructs/needs.ts';
import { PoolSignIn } from '../constructs/operators/signIn.ts';
import { queueNamed } from '../constructs/queues/messageQueue.ts';
import type { Endpoint } from '../endpoint.ts';
import { fallback } from '../endpoints.ts';
import { operatorSchedules } from '../resources.ts';
import { handedToConsole, type Settings, serviceName } from '../settings.ts';

export interface ApiStackProps extends StackProps {
  readonly settings: Settings;
  readonly handlers: ReadonlyMap<Endpoint, IFunction>;
  readonly resources: Resources;
  readonly alarmTopic: ITopic;
}

/** The command line reads these too, where they are there. */
const consoleOutputs = {
  ConsoleUrl: 'CONSOLE_URL',
  OidcIssuer: 'OIDC_ISSUER',
  OidcClientId: 'OIDC_CLIENT_ID',
  UserPoolId: 'USER_POOL_ID',
} as const;

/** Where the service is called: the API over all functions, and what an operator is told of it. */
export class ApiStack extends Stack {
  readonly publicUrl: string;

  constructor(scope: Construct, id: string, { settings, handlers, resources, alarmTopic, ...props }: ApiStackProps) {
    // The document of the API is the one part of a template that grows with every route: CloudFormation takes 1 MB.
    super(scope, id, { ...props, description: 'Mailroom: the API', suppressTemplateIndentation: true });
    const api = new Api(this, 'Api', {
      settings,
      targets: [...handlers]
        .filter(([endpoint]) => endpoint !== fallback)
        .map(([endpoint, handler]) => ({
          id: constructId(endpoint.id),
          methods: methodsOf(endpoint),
          path: endpoint.path,
          handler,
          budget: endpoint.budget,
        })),
      fallback: handlerOf(handlers, fallback),
      told: (publicUrl) => (settings.console.deployed ? this.#console(publicUrl, settings, resources) : {}),
    });
    this.publicUrl = api.publicUrl;
    const alarms = new Alarms(this, 'Alarms', alarmTopic);
    alarms.watchApi(api.rest);
    alarms.watchNotices(serviceName(settings));
    alarms.watchReputation();
    addDashboard(this, 'Dashboard', { settings, api: api.rest, resources });
    this.#addOutputs(resources);
  }

  /** Who says who an operator is: the provider of the settings, or the deployment's own pool, or nobody but a link. */
  #console(publicUrl: string, { console: { provider } }: Settings, { users }: Resources): Record<string, string> {
    const signIn = users && new PoolSignIn(this, 'SignIn', { publicUrl, users });
    const told = handedToConsole(publicUrl, provider ?? signIn?.provider ?? null, users?.userPoolId);
    for (const [name, variable] of Object.entries(consoleOutputs)) {
      if (told[variable]) new CfnOutput(this, name, { value: told[variable] });
    }
    return told;
  }

  /** The operator's command line reads these (functions/cli/connect/stack.ts). */
  #addOutputs({ table, feedback, secret, queues, schedules }: Resources): void {
    const outputs: Record<string, string> = {
      PublicUrl: this.publicUrl,
      TableName: table.tableName,
      ConfigurationSet: feedback.get('feedback')?.configurationSet.configurationSetName ?? '',
      SecretId: secret.secretArn,
      SchedulerRoleArn: schedules.role.roleArn,
      ScheduleGroup: schedules.group.scheduleGroupName,
    };
    for (const [name, { queue }] of queues) outputs[`${constructId(name)}QueueUrl`] = queue.queueUrl;
    for (const name of operatorSchedules) {
      outputs[`${constructId(name)}QueueArn`] = queueNamed(queues, name).queue.queueArn;
    }
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}

function handlerOf(handlers: ReadonlyMap<Endpoint, IFunction>, endpoint: Endpoint): IFunction {
  const handler = handlers.get(endpoint);
  if (!handler) throw new Error(`${endpoint.id} has no function.`);
  return handler;
}
