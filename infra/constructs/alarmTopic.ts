import { ArnFormat, CfnOutput, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** The topic of all alarms. */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { key, settings }: { key: IKey | undefined; settings: Settings }) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', {
      ...(key && { masterKey: key }),
      enforceSSL: true,
      displayName: 'Mailroom alarms',
    });
    this.#letAlarmsPublish();
    const { alarmEmail, alarmEndpoint } = settings;
    const subscriptions = [
      ...(alarmEmail ? [new EmailSubscription(alarmEmail)] : []),
      ...(alarmEndpoint ? [new UrlSubscription(alarmEndpoint)] : []),
    ];
    for (const one of subscriptions) {
      Validations.of(this.topic.addSubscription(one)).acknowledge({
        id: 'Serverless-SNSRedrivePolicy',
        reason: 'CloudWatch keeps the state of alarms, so that a lost notification loses nothing.',
      });
    }
    // For subscriptions that are added by hand.
    new CfnOutput(Stack.of(this), 'AlarmTopicArn', { value: this.topic.topicArn });
  }

  /** A topic with its own policy lacks the default one that lets the account publish. */
  #letAlarmsPublish(): void {
    const { account } = Stack.of(this);
    const alarms = Stack.of(this).formatArn({
      service: 'cloudwatch',
      resource: 'alarm',
      resourceName: '*',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': account }, ArnLike: { 'aws:SourceArn': alarms } },
      }),
    );
  }
}
