import { Stack, type StackProps } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Needs } from '../../shared/contract/route.ts';
import { Alarms } from '../constructs/alarms.ts';
import { AlarmTopic } from '../constructs/alarmTopic.ts';
import { constructId } from '../constructs/constructId.ts';
import { Feedback, topicKey } from '../constructs/feedback.ts';
import { MessageQueue, type MessageQueues, queueNamed } from '../constructs/queues/messageQueue.ts';
import { Schedules } from '../constructs/schedules.ts';
import { endpoints } from '../endpoints.ts';
import { feedbackLanes, operatorSchedules, queues, rules } from '../resources.ts';
import type { Settings } from '../settings.ts';

export interface MessagingStackProps extends StackProps {
  readonly settings: Settings;
}

/** What holds messages on their way: queues, the topic of SES's events, the group of schedules. */
export class MessagingStack extends Stack {
  readonly queues: MessageQueues;
  /** The ways of SES's events, by the name of their lane. */
  readonly feedback: ReadonlyMap<string, Feedback>;
  readonly schedules: Schedules;
  readonly alarmTopic: ITopic;

  constructor(scope: Construct, id: string, { settings, ...props }: MessagingStackProps) {
    super(scope, id, { ...props, description: 'Mailroom: queues, events of SES, schedules' });
    const key = topicKey(this);
    this.queues = new Map(
      Object.entries(queues).map(([name, queue]) => [name, new MessageQueue(this, `${constructId(name)}Queue`, queue)]),
    );
    this.feedback = new Map(
      feedbackLanes.map(({ name, queue }) => {
        const lane = { queue: queueNamed(this.queues, queue), key, trackingDomain: settings.trackingDomain };
        return [name, new Feedback(this, constructId(name), lane)];
      }),
    );
    this.schedules = new Schedules(this, 'Schedules', scheduledQueues(this.queues));
    this.alarmTopic = new AlarmTopic(this, 'AlarmTopic', { key, email: settings.alarmEmail }).topic;
    const alarms = new Alarms(this, 'Alarms', this.alarmTopic);
    for (const queue of this.queues.values()) {
      alarms.watchQueue(queue);
      this.#keepExported(queue.queue);
      this.#keepExported(queue.deadLetters);
    }
  }

  /**
   * Exported also when nothing imports it any more: CloudFormation refuses to remove what the stacks of the former
   * deployment import, so a queue goes in two steps, first what uses it and then the queue.
   */
  #keepExported({ queueArn, queueUrl }: IQueue): void {
    this.exportValue(queueArn);
    this.exportValue(queueUrl);
  }
}

/** Queues that some function, or an operator, may schedule a message for. */
function scheduledQueues(messageQueues: MessageQueues): IQueue[] {
  const needs = [...endpoints, ...Object.values(queues), ...Object.values(rules)].map(({ needs }): Needs => needs);
  const names = needs.filter(({ scheduler }) => scheduler).flatMap(({ queues: names = [] }) => names);
  return [...new Set([...names, ...operatorSchedules])].map((name) => queueNamed(messageQueues, name).queue);
}
