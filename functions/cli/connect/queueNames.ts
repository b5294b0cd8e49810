import { queues } from '../../../infra/resources.ts';

/** The queues of a deployment, by the names that an operator says. */
export const queueNames: readonly string[] = Object.keys(queues);
