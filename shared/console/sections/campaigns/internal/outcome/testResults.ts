import { type Html, html } from '../../../../../pages/html.ts';
import { readTestFigures, type TestResults, type VariantFigures } from '../../../../../services/campaigns/abTest.ts';
import type { ConsoleCall } from '../../../../call.ts';
import { shareBars } from '../../../../layout/charts.ts';
import { deferredPart, partOf } from '../../../../layout/deferred.ts';
import { momentOf, numberOf, shareOf, tableOf } from '../../../../layout/elements.ts';
import { pathOf } from '../../../../paths.ts';
import { campaignPath, letterOf } from '../campaignElements.ts';
import type { CampaignDetail } from '../progress.ts';
import { outcomeTexts as texts } from './outcomeTexts.ts';

interface Shown extends TestResults {
  readonly campaign: Pick<CampaignDetail, 'id' | 'status' | 'progress'>;
}

/**
 * The results of an A/B test: the subjects before the send, current figures while it runs, the final ones afterwards.
 */
export async function testResults(call: ConsoleCall, shown: Shown): Promise<Html> {
  if (shown.test.winner !== null) return html`${subjects(call, shown)}${decided(call, shown)}`;
  const { language } = call;
  const { progress, status } = shown.campaign;
  if (!progress) return html`${subjects(call, shown)}<p class="soft">${texts.untested[language]}</p>`;
  const isOver = status !== 'sending' || progress.reason === 'canceled';
  const when = isOver ? texts.neverDecided[language] : whenDecided(call, shown);
  return html`${await soFar(call, shown)}<p>${when}</p>${note(call, shown)}`;
}

const lettered = ({ language }: ConsoleCall, index: number): string =>
  texts.letter[language].replace('{letter}', letterOf(index));

const subjects = (call: ConsoleCall, { test, variants }: TestResults): Html =>
  html`<ul class="choices">${variants.map(
    ({ subject }, index) =>
      html`<li><b>${lettered(call, index)}</b> <bdi>${subject}</bdi>${index === test.winner ? html` · ${texts.won[call.language]}` : null}</li>`,
  )}</ul>`;

/** An open through a relay does not show whether the person opened the message. */
const note = ({ language }: ConsoleCall, { test }: TestResults): Html | null =>
  test.decideBy === 'opens' ? html`<p class="small soft">${texts.ownOpens[language]}</p>` : null;

/** Shares of the delivered messages at the time when the winner was chosen. */
function decided(call: ConsoleCall, shown: TestResults): Html {
  const { language } = call;
  const bars = shown.variants.flatMap(({ result }, index) => {
    if (!result) return [];
    const share = result.delivered > 0 ? Math.min(1, result.votes / result.delivered) : 0;
    const value = texts.of[language]
      .replace('{votes}', numberOf(result.votes, language))
      .replace('{delivered}', numberOf(result.delivered, language))
      .replace('{share}', shareOf(share, language));
    const mark = index === shown.test.winner ? ('bar' as const) : ('bar-soft' as const);
    return [{ label: lettered(call, index), value, share, mark }];
  });
  return html`${bars.length > 0 ? shareBars(bars) : null}${note(call, shown)}`;
}

const figuresPart = { name: 'variants', className: 'variants' };

/** The table appears at once. Its figures need a read of the test's recipients and are loaded after the page. */
async function soFar(call: ConsoleCall, shown: Shown): Promise<Html> {
  const { context, language, query } = call;
  if (query.has('figures')) {
    const figures = await readTestFigures(context, { id: shown.campaign.id });
    return partOf(figuresPart, html`${variantTable(call, shown, figures)}${sampled(call, figures)}`);
  }
  const href = pathOf(call, campaignPath(shown.campaign.id), { figures: 'yes' });
  return deferredPart(figuresPart, href, variantTable(call, shown, null), {
    loading: texts.figuresWait[language],
    failed: texts.figuresFail[language],
    load: texts.figuresAsk[language],
    retry: texts.figuresAgain[language],
  });
}

function variantTable(call: ConsoleCall, { test, variants }: TestResults, figures: readonly VariantFigures[] | null) {
  const { language } = call;
  const measure = test.decideBy === 'opens' ? texts.byOpens : texts.byClicks;
  const columns = [
    { label: texts.variant[language] },
    ...[texts.gotIt, texts.haveOpened, texts.haveClicked, measure].map((label) => ({
      label: label[language],
      isNumber: true,
    })),
  ];
  const rows = variants.map(({ subject }, index) => {
    const found = figures?.[index];
    const number = (value: number | undefined) => (value === undefined ? '–' : numberOf(value, language));
    const share = found && found.delivered > 0 ? Math.min(1, found.votes / found.delivered) : null;
    return [
      html`<b>${letterOf(index)}</b> <bdi>${subject}</bdi>`,
      number(found?.sent),
      number(found?.opened),
      number(found?.clicked),
      shareOf(share, language),
    ];
  });
  return tableOf(texts.results[language], columns, rows);
}

/** For a large test only the first recipients of each variant are counted. */
function sampled({ language }: ConsoleCall, figures: readonly VariantFigures[] | null): Html | null {
  const some = figures?.find(({ counted, people }) => counted < people);
  if (!some) return null;
  const sentence = texts.figuresSome[language]
    .replace('{looked}', numberOf(some.counted, language))
    .replace('{people}', numberOf(some.people, language));
  return html`<p class="small soft">${sentence}</p>`;
}

/** The measure and the time of the decision. The waiting time starts after the last test message. */
function whenDecided({ language }: ConsoleCall, { test }: TestResults): Html {
  const by = (test.decideBy === 'opens' ? texts.decidedByOpens : texts.decidedByClicks)[language];
  if (test.decideAt !== null) return html`${by} ${texts.undecided[language]} ${momentOf(test.decideAt, language)}`;
  return html`${by} ${texts.decidedAfter[language].replace('{hours}', numberOf(test.waitHours, language))}`;
}
