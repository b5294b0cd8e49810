import { resealWebhooks } from '../../../shared/services/webhooks/reseal.ts';
import { listWorkspaces } from '../../../shared/services/workspaces/list.ts';
import { action, type Noun } from '../action.ts';
import { operator } from '../context.ts';
import type { Output } from '../output.ts';

export const webhookNoun: Noun = (program) => {
  const noun = program.command('webhook').description('webhook subscriptions of all workspaces');
  noun
    .command('reseal')
    .description('seal their secrets under the current service secret, after a rotation of it')
    .action(action(reseal));
};

async function reseal(): Promise<Output> {
  const context = operator();
  let webhooks = 0;
  for (const { id } of await listWorkspaces(context)) {
    webhooks += await resealWebhooks({ ...context, workspaceId: id });
  }
  return {
    json: { object: 'reseal', webhooks },
    text: `The secrets of ${webhooks} webhook subscriptions are sealed under the current service secret.`,
  };
}
