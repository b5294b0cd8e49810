import { type Html, html } from '../../../pages/html.ts';
import { inspectGivenUp } from '../../../services/queues/inspectGivenUp.ts';
import { type ConsoleCall, type ConsoleReply, deploymentOf, may, placeOf } from '../../call.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf, emptyOf, factsOf, linkButton, momentOf, numberOf } from '../../frame/parts.ts';
import { frameTexts } from '../../frame/texts.ts';
import { effectOf, kindNamed, queueNamed } from './names.ts';
import { queuesTexts as texts } from './texts.ts';

export const path = '/given-up';

export type GivenUp = Awaited<ReturnType<typeof inspectGivenUp>>[number];

/** What every queue of the deployment gave up, with the way back: for operators of all of it. */
export async function showGivenUp(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  const queues = await inspectGivenUp(deploymentOf(call));
  const cards = queues.map((queue) => cardOf(queueNamed(queue.queue, language), ofQueue(call, queue)));
  return pageOf(call, {
    room: 'overview',
    parent: { label: frameTexts.overview[language], path: '' },
    title: texts.title[language],
    lead: queues.length > 0 ? texts.lead[language] : null,
    body:
      queues.length > 0 ? html`${cards}` : cardOf(null, emptyOf(texts.emptyTitle[language], texts.emptyWhat[language])),
  });
}

function ofQueue(call: ConsoleCall, queue: GivenUp): Html {
  const { language } = call;
  const { messages, oldest_at, gone_at } = queue;
  const facts = factsOf([
    [texts.waiting[language], numberOf(messages, language)],
    [texts.what[language], kindsIn(queue, language)],
    [texts.oldest[language], momentOf(oldest_at, language)],
    [texts.gone[language], momentOf(gone_at, language)],
  ]);
  const again = may(call, 'change')
    ? linkButton(texts.ask[language], placeOf(call, `${path}/${encodeURIComponent(queue.queue)}`))
    : null;
  return html`${facts}<h3>${texts.effect[language]}</h3><p>${effectOf(queue.queue, language)}</p>${again}`;
}

/** The most frequent first; of a long queue, of those that were looked at. */
function kindsIn({ messages, looked, kinds }: GivenUp, language: ConsoleCall['language']): string {
  const counted = [...kinds]
    .sort((one, other) => other.messages - one.messages)
    .map(({ kind, messages: count }) => `${numberOf(count, language)} × ${kindNamed(kind, language)}`)
    .join(', ');
  if (looked >= messages) return counted;
  const said = texts.looked[language].replace('{looked}', numberOf(looked, language));
  return `${counted} ${said}`;
}
