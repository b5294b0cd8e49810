import { html } from '../../../../pages/html.ts';
import type { LookedAt } from '../../../../services/imports/background/look.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf } from '../../../call.ts';
import { type Filled, untouched } from '../../../frame/form.ts';
import { pageOf } from '../../../frame/layout.ts';
import { buttonOf, cardOf, linkButton, numberOf, type Tone, tableOf, tag } from '../../../frame/parts.ts';
import { parentOf } from './columns.ts';
import { columnTexts, outcomeTexts, importTexts as texts } from './texts.ts';
import { importPath } from './upload.ts';

const tones: Readonly<Record<keyof typeof outcomeTexts, Tone>> = {
  subscribed: 'good',
  asked: 'warn',
  updated: 'plain',
  suppressed: 'warn',
  refused: 'bad',
};

/** The first lines with what would become of each, how many there are, and what the button does. */
export function checkPage(
  call: ConsoleCall,
  { job, rows, lines, columns }: LookedAt,
  filled: Filled = untouched,
): ConsoleReply {
  const { language } = call;
  const isSuppression = job.work.suppressAs !== null;
  const email = columns.findIndex(({ kind }) => kind === 'email');
  const labels = [columnTexts.email, texts.line, texts.outcome, texts.reasonWhy];
  const heads = labels.map((label, index) => ({ label: label[language], isNumber: index === 1 }));
  const shown = rows.map(({ line, cells, outcome, reason }) => [
    html`<bdi>${cells[email] || '–'}</bdi>`,
    numberOf(line, language),
    tag(outcomeTexts[outcome][language], tones[outcome]),
    reason === null ? '' : reason[language],
  ]);
  const count = (lines.isExact ? texts.exactly : texts.roughly)[language].replace(
    '{count}',
    numberOf(lines.count, language),
  );
  const consequence = isSuppression ? texts.beginSuppress : job.work.consentGiven ? texts.beginGiven : texts.beginAsk;
  const path = importPath(job.id);
  const act = may(call, 'change')
    ? html`<div class="row">${buttonOf(call, `${path}/begin`, texts.begin[language], { className: '', hidden: { seen: String(job.revision) } })}${linkButton(texts.back[language], placeOf(call, path))}</div>`
    : null;
  const refusal =
    filled.issues.length > 0
      ? html`<div class="say bad" role="alert">${filled.issues.map(({ text }) => html`<p>${text[language]}</p>`)}</div>`
      : null;
  return pageOf(call, {
    room: isSuppression ? 'suppression' : 'people',
    parent: parentOf(call, isSuppression),
    title: texts.checkTitle[language],
    lead: html`<bdi>${texts.checkLead[language].replace('{name}', () => job.work.filename)}</bdi>`,
    body: html`${refusal}${cardOf(null, tableOf(texts.checkTitle[language], heads, shown))}
${cardOf(null, html`<p><b>${count}</b> ${consequence[language]}</p>${isSuppression ? null : html`<p class="soft">${texts.goneStay[language]}</p>`}${act}`)}`,
    status: refusal ? 409 : 200,
    isWrong: refusal !== null,
  });
}
