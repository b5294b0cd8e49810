import { type Html, html } from '../../../../pages/html.ts';
import { readTestFigures, type VariantFigures } from '../../../../services/campaigns/operator/testFigures.ts';
import type { TestResults } from '../../../../services/campaigns/operator/testResults.ts';
import { type ConsoleCall, placeOf } from '../../../call.ts';
import { shareBars } from '../../../frame/charts.ts';
import { laterPart, partOf } from '../../../frame/later.ts';
import { momentOf, numberOf, shareOf, tableOf } from '../../../frame/parts.ts';
import { letterOf } from '../editor/testForm.ts';
import { campaignPath } from '../list.ts';
import type { Campaign } from '../progress.ts';
import { outcomeTexts as texts } from './texts.ts';

interface Shown extends TestResults {
  readonly campaign: Pick<Campaign, 'id' | 'status' | 'progress'>;
}

/** An A/B test: its subjects before the send, how each does while it runs, and what each came to when it was decided. */
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

/** Of people who opened through a relay nobody knows whether they did. */
const note = ({ language }: ConsoleCall, { test }: TestResults): Html | null =>
  test.decideBy === 'opens' ? html`<p class="small soft">${texts.ownOpens[language]}</p>` : null;

/** As a share of those who got it, when the winner was chosen. */
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

/** The table is there at once; its figures take a look at the people of the test, and come after the page. */
async function soFar(call: ConsoleCall, shown: Shown): Promise<Html> {
  const { context, language, query } = call;
  if (query.has('figures')) {
    const figures = await readTestFigures(context, { id: shown.campaign.id });
    return partOf(figuresPart, html`${variantTable(call, shown, figures)}${sampled(call, figures)}`);
  }
  const href = placeOf(call, campaignPath(shown.campaign.id), { figures: 'yes' });
  return laterPart(figuresPart, href, variantTable(call, shown, null), {
    waits: texts.figuresWait[language],
    fails: texts.figuresFail[language],
    asks: texts.figuresAsk[language],
    again: texts.figuresAgain[language],
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

/** Of a large test the first of each variant were looked at. */
function sampled({ language }: ConsoleCall, figures: readonly VariantFigures[] | null): Html | null {
  const some = figures?.find(({ looked, people }) => looked < people);
  if (!some) return null;
  const said = texts.figuresSome[language]
    .replace('{looked}', numberOf(some.looked, language))
    .replace('{people}', numberOf(some.people, language));
  return html`<p class="small soft">${said}</p>`;
}

/** By which measure, and when; the hours begin with the end of the last test message. */
function whenDecided({ language }: ConsoleCall, { test }: TestResults): Html {
  const by = (test.decideBy === 'opens' ? texts.decidedByOpens : texts.decidedByClicks)[language];
  if (test.decideAt !== null) return html`${by} ${texts.undecided[language]} ${momentOf(test.decideAt, language)}`;
  return html`${by} ${texts.decidedAfter[language].replace('{hours}', numberOf(test.waitHours, language))}`;
}
