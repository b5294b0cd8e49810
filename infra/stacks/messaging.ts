import { Stack, type StackProps } from 'aws-cdk-lib';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Needs } from '../../shared/contract/route.ts';
import { AlarmTopic } from '../constructs/alarmTopic.ts';
import { constructId } from '../constructs/constructId.ts';
import { FeedbackPipeline, topicKey } from '../constructs/feedback.ts';
import { MessageQueue, type MessageQueues, queueNamed } from '../constructs/messageQueue.ts';
import { Schedules } from '../constructs/schedules.ts';
import { endpoints } from '../endpoints.ts';
import { feedbackLanes, operatorSchedules, queues, rules } from '../resources.ts';
import type { Settings } from '../settings.ts';

export interface MessagingStackProps extends StackProps {
  readonly settings: Settings;
}

/** Queues, the topics of SES's events, the group of schedules. */
export class MessagingStack extends Stack {
  readonly queues: MessageQueues;
  /** The path of SES's events, by the name of the lane. */
  readonly feedback: ReadonlyMap<string, FeedbackPipeline>;
  readonly schedules: Schedules;
  /** The deployment's own, and that of the settings. */
  readonly alarmTopics: readonly ITopic[];

  constructor(scope: Construct, id: string, { settings, ...props }: MessagingStackProps) {
    super(scope, id, { ...props, description: 'Mailroom: queues, events of SES, schedules' });
    const key = settings.topicKey ? topicKey(this) : undefined;
    this.queues = new Map(
      Object.entries(queues).map(([name, definition]) => [
        name,
        new MessageQueue(this, `${constructId(name)}Queue`, { definition, settings }),
      ]),
    );
    this.feedback = new Map(
      feedbackLanes.map(({ name, queue }) => {
        const lane = { queue: queueNamed(this.queues, queue), key, trackingDomain: settings.trackingDomain };
        return [name, new FeedbackPipeline(this, constructId(name), lane)];
      }),
    );
    this.schedules = new Schedules(this, 'Schedules', scheduledQueues(this.queues));
    const { topic } = new AlarmTopic(this, 'AlarmTopic', { key, settings });
    const { alarmTopicArn } = settings;
    this.alarmTopics = [topic, ...(alarmTopicArn ? [Topic.fromTopicArn(this, 'OwnAlarmTopic', alarmTopicArn)] : [])];
  }
}

/** Queues for which a function or an operator may schedule a message. */
function scheduledQueues(messageQueues: MessageQueues): IQueue[] {
  const needs = [...endpoints, ...Object.values(queues), ...Object.values(rules)].map(({ needs }): Needs => needs);
  const names = needs.filter(({ scheduler }) => scheduler === true).flatMap(({ queues: names = [] }) => names);
  return [...new Set([...names, ...operatorSchedules])].map((name) => queueNamed(messageQueues, name).queue);
}
