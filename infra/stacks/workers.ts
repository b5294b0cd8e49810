import { Stack, type StackProps } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { acknowledgeFunctions } from '../constructs/acknowledgements.ts';
import { Alarms } from '../constructs/alarms.ts';
import { constructId } from '../constructs/constructId.ts';
import { QueueWorker, RuleWorker, type WorkerSurroundings } from '../constructs/workers.ts';
import { rules } from '../resources.ts';

export interface WorkersStackProps extends StackProps {
  readonly surroundings: WorkerSurroundings;
  readonly alarmTopic: ITopic;
}

/** What runs without being called: the readers of the queues, and what rules start. */
export class WorkersStack extends Stack {
  constructor(scope: Construct, id: string, { surroundings, alarmTopic, ...props }: WorkersStackProps) {
    super(scope, id, { ...props, description: 'Mailroom: workers' });
    const alarms = new Alarms(this, 'Alarms', alarmTopic);
    for (const [name, messageQueue] of surroundings.resources.queues) {
      const worker = new QueueWorker(this, `${constructId(name)}Worker`, surroundings, messageQueue);
      alarms.watchWorker(constructId(name), worker.function);
    }
    for (const rule of Object.values(rules)) {
      const worker = new RuleWorker(this, `${constructId(rule.name)}Rule`, surroundings, rule);
      alarms.watchRule(worker);
      alarms.watchWorker(constructId(rule.name), worker.function);
    }
    acknowledgeFunctions(this);
  }
}
