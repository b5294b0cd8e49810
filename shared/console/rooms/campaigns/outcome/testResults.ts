import { type Html, html } from '../../../../pages/html.ts';
import type { TestResults } from '../../../../services/campaigns/operator/testResults.ts';
import type { ConsoleCall } from '../../../call.ts';
import { shareBars } from '../../../frame/charts.ts';
import { momentOf, numberOf, shareOf } from '../../../frame/parts.ts';
import { letterOf } from '../editor/testForm.ts';
import { outcomeTexts as texts } from './texts.ts';

/** What each variant came to, as a share of those who got it; until the decision, when that will be. */
export function testResults({ language }: ConsoleCall, { test, variants }: TestResults): Html {
  const lettered = (index: number) => texts.letter[language].replace('{letter}', letterOf(index));
  const subjects = variants.map(
    ({ subject }, index) =>
      html`<li><b>${lettered(index)}</b> <bdi>${subject}</bdi>${index === test.winner ? html` · ${texts.won[language]}` : null}</li>`,
  );
  const bars = variants.flatMap(({ result }, index) => {
    if (!result) return [];
    const share = result.delivered > 0 ? Math.min(1, result.votes / result.delivered) : 0;
    const value = texts.of[language]
      .replace('{votes}', numberOf(result.votes, language))
      .replace('{delivered}', numberOf(result.delivered, language))
      .replace('{share}', shareOf(share, language));
    return [
      { label: lettered(index), value, share, mark: index === test.winner ? ('bar' as const) : ('bar-soft' as const) },
    ];
  });
  const until =
    test.decideAt === null
      ? html`<p class="soft">${texts.untested[language]}</p>`
      : html`<p>${texts.undecided[language]} ${momentOf(test.decideAt, language)}</p>`;
  return html`<ul class="choices">${subjects}</ul>${bars.length > 0 ? html`${shareBars(bars)}<p class="small soft">${test.decideBy === 'opens' ? texts.ownOpens[language] : null}</p>` : until}`;
}
