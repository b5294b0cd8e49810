import { ServiceError } from '../../../contract/errors.ts';
import type { Language } from '../../../language/languages.ts';
import type { Text } from '../../../language/text.ts';
import { type Html, html } from '../../../pages/html.ts';
import { inspectDeadLetters, redriveQueue } from '../../../services/queues.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, deploymentOf, may, redirect } from '../../call.ts';
import { confirmationPage } from '../../layout/confirmationPage.ts';
import { cardOf, emptyOf, factsOf, linkButton, momentOf, numberOf } from '../../layout/elements.ts';
import { layoutTexts } from '../../layout/layoutTexts.ts';
import { pageOf } from '../../layout/page.ts';
import { pathOf } from '../../paths.ts';
import { effectTexts, kindTexts, nameTexts, queuesTexts, queuesTexts as texts } from './internal/queueTexts.ts';

export const deadLettersPath = '/given-up';

type DeadLetterQueue = Awaited<ReturnType<typeof inspectDeadLetters>>[number];

/** The dead letters of every queue, for operators of all workspaces. */
async function showDeadLetters(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  const queues = await inspectDeadLetters(deploymentOf(call));
  const cards = queues.map((queue) => cardOf(queueNamed(queue.queue, language), ofQueue(call, queue)));
  return pageOf(call, {
    section: 'overview',
    parent: { label: layoutTexts.overview[language], path: '' },
    title: texts.title[language],
    lead: queues.length > 0 ? texts.lead[language] : null,
    body:
      queues.length > 0 ? html`${cards}` : cardOf(null, emptyOf(texts.emptyTitle[language], texts.emptyWhat[language])),
  });
}

function ofQueue(call: ConsoleCall, queue: DeadLetterQueue): Html {
  const { language } = call;
  const { messages, oldest_at, gone_at } = queue;
  const facts = factsOf([
    [texts.waiting[language], numberOf(messages, language)],
    [texts.what[language], kindsIn(queue, language)],
    [texts.oldest[language], momentOf(oldest_at, language)],
    [texts.gone[language], momentOf(gone_at, language)],
  ]);
  const again = may(call, 'platform')
    ? linkButton(texts.ask[language], pathOf(call, `${deadLettersPath}/${encodeURIComponent(queue.queue)}`))
    : null;
  return html`${facts}<h3>${texts.effect[language]}</h3><p>${effectOf(queue.queue, language)}</p>${again}`;
}

/** The kinds of messages, the most frequent first; in a long queue, only of the messages that were read. */
function kindsIn({ messages, looked, kinds }: DeadLetterQueue, language: ConsoleCall['language']): string {
  const counted = [...kinds]
    .sort((one, other) => other.messages - one.messages)
    .map(({ kind, messages: count }) => `${numberOf(count, language)} × ${kindNamed(kind, language)}`)
    .join(', ');
  if (looked >= messages) return counted;
  const note = texts.looked[language].replace('{looked}', numberOf(looked, language));
  return `${counted} ${note}`;
}

/** The queue of the path. Throws `not_found` when it has no dead letters. */
async function queueOfPath(call: ConsoleCall): Promise<DeadLetterQueue> {
  const queues = await inspectDeadLetters(deploymentOf(call));
  const found = queues.find(({ queue }) => queue === call.parameters.queue);
  if (!found) throw new ServiceError('not_found', { text: texts.nothing });
  return found;
}

const actionOf = (queue: string): string => `${deadLettersPath}/${encodeURIComponent(queue)}`;

async function askRedrive(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  const { queue, messages } = await queueOfPath(call);
  const count = messages === 1 ? texts.askOne : texts.askMany;
  return confirmationPage(call, {
    section: 'overview',
    parent: { label: texts.title[language], path: deadLettersPath },
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

async function redrive(call: ConsoleCall): Promise<ConsoleReply> {
  const { queue: name } = await queueOfPath(call);
  await redriveQueue(deploymentOf(call), { name, waitSeconds: 10 });
  return redirect(pathOf(call, deadLettersPath, { done: 'putBack' }));
}

/** The name of a queue for operators; a queue without one keeps its own name. */
export const queueNamed = (name: string, language: Language): string => known(nameTexts, name)?.[language] ?? name;

/** What happens when the messages are redriven. */
const effectOf = (name: string, language: Language): string =>
  (known(effectTexts, name) ?? queuesTexts.effectUnknown)[language];

const kindNamed = (kind: string, language: Language): string => (known(kindTexts, kind) ?? kindTexts.other)[language];

const known = (texts: Readonly<Record<string, Text>>, name: string): Text | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined;

export const queuePages: readonly ConsolePage[] = [
  { method: 'GET', path: deadLettersPath, verb: showDeadLetters },
  { method: 'GET', path: `${deadLettersPath}/{queue}`, needs: 'platform', verb: askRedrive },
  { method: 'POST', path: `${deadLettersPath}/{queue}`, verb: redrive },
];
