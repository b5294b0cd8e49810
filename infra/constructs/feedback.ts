import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { ConfigurationSet, type EmailSendingEvent, EventDestination, SuppressionReasons } from 'aws-cdk-lib/aws-ses';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { feedbackEventTypes } from '../resources.ts';
import type { MessageQueue } from './messageQueue.ts';

export interface FeedbackProps {
  readonly queue: MessageQueue;
  /** Encrypts the topic; AWS's own key for SNS would not let SES publish. */
  readonly key: Key | undefined;
  readonly trackingDomain: string | undefined;
}

/** The path of SES's events about messages: configuration set, topic, queue. */
export class FeedbackPipeline extends Construct {
  readonly configurationSet: ConfigurationSet;
  readonly configurationSetArn: string;

  constructor(scope: Construct, id: string, { queue, key, trackingDomain }: FeedbackProps) {
    super(scope, id);
    this.configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      reputationMetrics: true,
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
      ...(trackingDomain && { customTrackingRedirectDomain: trackingDomain }),
    });
    this.configurationSetArn = Stack.of(this).formatArn({
      service: 'ses',
      resource: 'configuration-set',
      resourceName: this.configurationSet.configurationSetName,
    });
    const topic = new Topic(this, 'Topic', { ...(key && { masterKey: key }), enforceSSL: true });
    if (!queue.undelivered) throw new Error(`The queue ${queue.definition.name} is not one of SES's events.`);
    topic.addSubscription(
      new SqsSubscription(queue.queue, { rawMessageDelivery: true, deadLetterQueue: queue.undelivered }),
    );
    // Also lets SES publish to the topic, for this account and this configuration set only.
    this.configurationSet.addEventDestination('Events', {
      destination: EventDestination.snsTopic(topic),
      events: feedbackEventTypes.map(eventOf),
    });
  }
}

/** `RENDERING_FAILURE` of the API is `renderingFailure` in CloudFormation. */
function eventOf(type: (typeof feedbackEventTypes)[number]): EmailSendingEvent {
  return type.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as EmailSendingEvent;
}

/**
 * A key of our own: with AWS's default key, neither SES nor CloudWatch can publish to an encrypted topic. Each topic's
 * policy limits which sources may publish (SNS Developer Guide, "Configuring AWS KMS permissions").
 */
export function topicKey(scope: Construct): Key {
  const key = new Key(scope, 'TopicKey', {
    description: 'Mailroom: encrypts events of SES and alarms in SNS topics',
    enableKeyRotation: true,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: ['ses.amazonaws.com', 'cloudwatch.amazonaws.com'].map((service) => new ServicePrincipal(service)),
      actions: ['kms:GenerateDataKey*', 'kms:Decrypt'],
      resources: ['*'],
    }),
  );
  return key;
}
