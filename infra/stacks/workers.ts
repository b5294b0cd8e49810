import { Stack, type StackProps } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { Alarms } from '../constructs/alarms.ts';
import { constructId } from '../constructs/constructId.ts';
import { acknowledgeFunctions } from '../constructs/serviceFunction.ts';
import { QueueWorker, RuleWorker, type SharedWorkerProps } from '../constructs/workers.ts';
import { rules, table } from '../resources.ts';

export interface WorkersStackProps extends StackProps {
  readonly shared: SharedWorkerProps;
  readonly alarmTopics: readonly ITopic[];
}

/** The workers of the queues, and those that rules start. */
export class WorkersStack extends Stack {
  constructor(scope: Construct, id: string, { shared, alarmTopics, ...props }: WorkersStackProps) {
    super(scope, id, { ...props, description: 'Mailroom: workers' });
    const alarms = new Alarms(this, 'Alarms', alarmTopics);
    for (const [name, messageQueue] of shared.resources.queues) {
      new QueueWorker(this, `${constructId(name)}Worker`, shared, messageQueue);
    }
    for (const rule of Object.values(rules)) {
      alarms.watchRule(new RuleWorker(this, `${constructId(rule.name)}Rule`, shared, rule));
    }
    const { table: storage, schedules } = shared.resources;
    const indexes = table.indexes.map(({ name }) => name);
    alarms.watchCapacity(storage, indexes, schedules.group);
    acknowledgeFunctions(this);
  }
}
