import { ServiceError } from '../../../contract/errors.ts';
import { inspectGivenUp } from '../../../services/queues/inspectGivenUp.ts';
import { redriveQueue } from '../../../services/queues/redrive.ts';
import { type ConsoleCall, type ConsoleReply, deploymentOf, placeOf, redirect } from '../../call.ts';
import { askPage } from '../../frame/ask.ts';
import { numberOf } from '../../frame/parts.ts';
import { type GivenUp, path } from './list.ts';
import { effectOf, queueNamed } from './names.ts';
import { queuesTexts as texts } from './texts.ts';

/** The queue of the path, while it has something to be put back. Throws `not_found`. */
async function givenUpIn(call: ConsoleCall): Promise<GivenUp> {
  const queues = await inspectGivenUp(deploymentOf(call));
  const found = queues.find(({ queue }) => queue === call.parameters.queue);
  if (!found) throw new ServiceError('not_found', { text: texts.nothing });
  return found;
}

const actionOf = (queue: string): string => `${path}/${encodeURIComponent(queue)}`;

export async function askRedrive(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  const { queue, messages } = await givenUpIn(call);
  const count = messages === 1 ? texts.askOne : texts.askMany;
  return askPage(call, {
    room: 'overview',
    parent: { label: texts.title[language], path },
    title: texts.askTitle[language].replace('{queue}', () => queueNamed(queue, language)),
    what: [
      count[language].replace('{count}', numberOf(messages, language)),
      effectOf(queue, language),
      texts.again[language],
    ],
    button: texts.redrive,
    isDangerous: false,
    action: actionOf(queue),
  });
}

export async function redrive(call: ConsoleCall): Promise<ConsoleReply> {
  const { queue: name } = await givenUpIn(call);
  await redriveQueue(deploymentOf(call), { name });
  return redirect(placeOf(call, path, { done: 'putBack' }));
}
