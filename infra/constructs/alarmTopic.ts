import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

/** The topic of all alarms. */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, props: { key: IKey | undefined; email: string | undefined }) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', {
      ...(props.key && { masterKey: props.key }),
      enforceSSL: true,
      displayName: 'Mailroom alarms',
    });
    this.#letAlarmsPublish();
    if (!props.email) return;
    const subscription = this.topic.addSubscription(new EmailSubscription(props.email));
    Validations.of(subscription).acknowledge({
      id: 'Serverless-SNSRedrivePolicy',
      reason: 'CloudWatch keeps the state of alarms, so that a lost email loses nothing.',
    });
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
