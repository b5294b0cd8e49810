import { listenedEvents } from '../../../../../services/automations/readAutomations.ts';
import type { Context, OperatorActor } from '../../../../../services/context.ts';
import { listSegments } from '../../../../../services/segments.ts';
import { listSenders } from '../../../../../services/senders.ts';
import { listTemplates } from '../../../../../services/templates.ts';
import { listTopics } from '../../../../../services/topics.ts';
import { listWebhooks } from '../../../../../services/webhooks/webhooks.ts';
import type { Flow } from '../flow.ts';
import type { Known } from './fields.ts';
import type { StepType } from './stepFields.ts';

/** As many as a select shows; more are written in the JSON. */
const most = 50;

const none: Known = { events: [], templates: [], segments: [], webhooks: [], topics: [], senders: [] };

/** What of the workspace the form of a step offers. */
export async function knownFor(context: Context<OperatorActor>, type: StepType, flow: Flow): Promise<Known> {
  switch (type) {
    case 'trigger': {
      const [events, segments] = await Promise.all([
        knownEvents(context, flow),
        listSegments(context, { limit: most, after: undefined }),
      ]);
      return { ...none, events, segments: segments.entries.map(({ id, name }) => [id, name]) };
    }
    case 'wait_for_event':
    case 'condition':
      return { ...none, events: await knownEvents(context, flow) };
    case 'send_email': {
      const [templates, sending] = await Promise.all([
        listTemplates(context, { limit: most, after: undefined }),
        knownForSettings(context),
      ]);
      return { ...sending, templates: templates.entries.map(({ id, name }) => [id, name]) };
    }
    case 'webhook': {
      const { entries } = await listWebhooks(context, { limit: most, after: undefined });
      return { ...none, webhooks: entries.map(({ id, name }) => [id, name]) };
    }
    default:
      return none;
  }
}

/** Topics and senders, which are in the record of the workspace. */
export async function knownForSettings(context: Context<OperatorActor>): Promise<Known> {
  const [topics, senders] = await Promise.all([
    listTopics(context, { limit: most, after: undefined }),
    listSenders(context),
  ]);
  return {
    ...none,
    topics: topics.entries.map(({ tag, name }) => [tag, name]),
    senders: senders.slice(0, most).map(({ email }) => email),
  };
}

/** The events of this automation, and those that active ones listen to. */
export async function knownEvents(
  context: Context<OperatorActor>,
  { steps }: Pick<Flow, 'steps'>,
): Promise<readonly string[]> {
  const own = steps.flatMap(({ config }) =>
    'event_name' in config && typeof config.event_name === 'string' ? [config.event_name] : [],
  );
  return [...new Set([...own, ...(await listenedEvents(context))])].slice(0, most);
}
