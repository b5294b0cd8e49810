import { Grant, type Role } from 'aws-cdk-lib/aws-iam';
import type { Needs } from '../../../shared/contract/route.ts';
import { environmentName } from '../../../shared/platform/config.ts';
import { type MessageQueues, queueNamed } from './messageQueue.ts';

/** Of what a function says it needs, that which concerns queues. */
export function grantQueues(grantee: Role, needs: Needs, all: MessageQueues): void {
  const { queues = [], watchedQueues = [], inspectedQueues = [], redrivenQueues = [] } = needs;
  const own = (names: readonly string[]) => names.map((name) => queueNamed(all, name).queue.queueArn);
  const dead = (names: readonly string[]) => names.map((name) => queueNamed(all, name).deadLetters.queueArn);
  const watched = [...new Set([...watchedQueues, ...redrivenQueues])];
  grant(grantee, ['sqs:SendMessage'], own([...new Set([...queues, ...redrivenQueues])]));
  grant(grantee, ['sqs:GetQueueAttributes'], [...own(watched), ...dead(watched)]);
  grant(grantee, ['sqs:ReceiveMessage', 'sqs:ChangeMessageVisibility'], dead(inspectedQueues));
  // SQS moves in the name of whoever asks it to, who must be allowed what the move does: to receive and delete here, and
  // to send there (SQS Developer Guide, "Configure a dead-letter queue redrive").
  grant(grantee, ['sqs:StartMessageMoveTask', 'sqs:ReceiveMessage', 'sqs:DeleteMessage'], dead(redrivenQueues));
}

function grant(grantee: Role, actions: string[], resourceArns: string[]): void {
  if (resourceArns.length > 0) Grant.addToPrincipal({ grantee, actions, resourceArns }).assertSuccess();
}

/** Where those queues are. A function that schedules is told of their ARNs as well. */
export function environmentOfQueues(needs: Needs, all: MessageQueues): Record<string, string> {
  const { queues = [], watchedQueues = [], redrivenQueues = [], scheduler } = needs;
  const variables: Record<string, string> = {};
  for (const name of queues) {
    const { queue } = queueNamed(all, name);
    variables[`${environmentName(name)}_QUEUE_URL`] = queue.queueUrl;
    if (scheduler) variables[`${environmentName(name)}_QUEUE_ARN`] = queue.queueArn;
  }
  for (const name of [...watchedQueues, ...redrivenQueues]) {
    const { queue, deadLetters } = queueNamed(all, name);
    variables[`${environmentName(name)}_QUEUE_URL`] = queue.queueUrl;
    variables[`${environmentName(name)}_DEAD_LETTERS_URL`] = deadLetters.queueUrl;
  }
  return variables;
}
