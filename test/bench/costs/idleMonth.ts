import { queues, rules } from '../../../infra/resources.ts';
import { synthesise } from '../../infra/synthesis.ts';
import prices from '../prices.json' with { type: 'json' };
import { type Consumption, dollarsOf } from './consumption.ts';

const secondsOfMonth = 30 * 86_400;

/** A month in which nothing is sent, by what it is spent on; what is stored comes on top. */
export async function idleMonth(sweep: Omit<Consumption, 'what'>): Promise<Readonly<Record<string, number>>> {
  const deployment = await synthesise({}, {}, { isStubbed: true });
  const count = (type: string) => deployment.resources(type).length;
  const { month, assumed } = prices;
  const polls = (Object.keys(queues).length * assumed.pollersOfQueue * secondsOfMonth) / assumed.pollSeconds;
  const runs = Object.values(rules).reduce((total, { everyMinutes }) => total + secondsOfMonth / 60 / everyMinutes, 0);
  return {
    [`${count('CloudWatch::Alarm')} alarms`]: count('CloudWatch::Alarm') * month.alarm,
    secrets: count('SecretsManager::Secret') * month.secret,
    keys: count('KMS::Key') * month.key,
    'dashboard (free for the first three of an account)': count('CloudWatch::Dashboard') * month.dashboard,
    [`Lambda asking ${Object.keys(queues).length} empty queues`]: total({ queueCalls: polls }),
    'the sweep': runs * total(sweep),
  };
}

const total = (consumption: Omit<Consumption, 'what'>): number =>
  Object.values(dollarsOf(consumption)).reduce((sum, dollars) => sum + dollars, 0);
