import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { ConfigurationSet, type EmailSendingEvent, EventDestination, SuppressionReasons } from 'aws-cdk-lib/aws-ses';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { feedbackEventTypes } from '../resources.ts';
import type { MessageQueue } from './queues/messageQueue.ts';

export interface FeedbackProps {
  readonly queue: MessageQueue;
  readonly key: Key;
  readonly trackingDomain: string | undefined;
}

/** The way of what SES tells about a message: configuration set, topic, queue. */
export class Feedback extends Construct {
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
    const topic = new Topic(this, 'Topic', { masterKey: key, enforceSSL: true });
    topic.addSubscription(
      new SqsSubscription(queue.queue, { rawMessageDelivery: true, deadLetterQueue: queue.deadLetters }),
    );
    // Lets SES publish for this account and this configuration set only, before SES tries the topic.
    this.configurationSet.addEventDestination('Events', {
      destination: EventDestination.snsTopic(topic),
      events: feedbackEventTypes.map(eventOf),
    });
  }
}

/** `RENDERING_FAILURE`, as the API has it, is `renderingFailure` in CloudFormation. */
function eventOf(type: (typeof feedbackEventTypes)[number]): EmailSendingEvent {
  return type.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as EmailSendingEvent;
}

/**
 * A key of our own: AWS's key for SNS lets neither SES nor CloudWatch publish to an encrypted topic. Which of their
 * sources may publish is said by each topic's policy (SNS Developer Guide, "Configuring AWS KMS permissions").
 */
export function topicKey(scope: Construct): Key {
  const key = new Key(scope, 'TopicKey', {
    description: 'Mailroom: events of SES and alarms on their way through SNS',
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
