import type { Advice } from '../../../../domain/campaign/advice.ts';
import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { type Preflight, preflightCampaign } from '../../../../services/campaigns/operator/preflight.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf } from '../../../call.ts';
import { pageOf } from '../../../frame/layout.ts';
import { cardOf, linkButton, numberOf, type Tone, tag } from '../../../frame/parts.ts';
import { letterOf } from '../editor/testForm.ts';
import { campaignPath } from '../list.ts';
import { adviceTexts, dmarcTexts, fineTexts, sendingTexts as texts } from './texts.ts';

/** Every check before a send: what stops it, what is worth a look, what is well. */
export async function showCheck(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters } = call;
  const found = await preflightCampaign(context, { id: parameters.id ?? '' });
  const { campaign, blocked, recipients } = found;
  const path = campaignPath(campaign.id);
  const lines = linesOf(call, found);
  const isReady = blocked === null;
  const said = isReady
    ? texts.ready[language].replace('{count}', numberOf(recipients ?? 0, language))
    : texts.notReady[language];
  const group = (tone: Tone, title: string) => {
    const own = lines.filter((line) => line.tone === tone);
    return own.length > 0
      ? cardOf(title, html`<ul class="checks">${own.map((line) => item(line, language))}</ul>`)
      : null;
  };
  const isOpen = may(call, 'change') && campaign.status === 'draft';
  return pageOf(call, {
    room: 'campaigns',
    parent: { label: campaign.name, path },
    title: texts.checkTitle[language],
    actions: isOpen
      ? nextSteps(call, path, isReady)
      : linkButton(texts.audience[language], placeOf(call, `${path}/audience`)),
    body: html`<div class="say ${isReady ? 'good' : 'bad'}" role="status"><p>${said}</p></div>
${group('bad', texts.blocks[language])}${group('warn', texts.advice[language])}${group('good', texts.fine[language])}`,
  });
}

function nextSteps(call: ConsoleCall, path: string, isReady: boolean): Html {
  const { language } = call;
  const link = (name: 'edit' | 'audience' | 'test' | 'schedule' | 'send') =>
    linkButton(texts[name][language], placeOf(call, `${path}/${name}`), name === 'send' ? '' : 'plain');
  return html`${link('edit')}${link('audience')}${link('test')}${isReady ? html`${link('schedule')}${link('send')}` : null}`;
}

interface Line {
  readonly tone: 'bad' | 'warn' | 'good';
  readonly text: string;
  /** Where it is mended. */
  readonly href: string | null;
}

function item({ tone, text, href }: Line, language: Language): Html {
  const said = { bad: texts.blocksTag, warn: texts.adviceTag, good: texts.fineTag }[tone];
  return html`<li>${tag(said[language], tone)}<span>${text}${href === null ? null : html` <a href="${href}">${texts.goThere[language]}</a>`}</span></li>
`;
}

function linesOf(call: ConsoleCall, found: Preflight): Line[] {
  const { language } = call;
  const { campaign, issues, blocked, advice, dmarc } = found;
  const editor = placeOf(call, `${campaignPath(campaign.id)}/edit`, { check: 'yes' });
  const isOpen = may(call, 'change') && campaign.status === 'draft';
  const placeOfField = (path: string | null, variant = 0) =>
    isOpen && path !== null
      ? `${variant === 0 ? editor : `${editor}&variant=${variant}`}#${encodeURIComponent(path)}`
      : null;
  const missing = issues.map(({ path, text }): Line => {
    const [, variant = '0', inner = path] = /^ab_test\.variants\[(\d)\]\.(content.*)$/.exec(path) ?? [];
    return { tone: 'bad', text: `${path}: ${text[language]}`, href: placeOfField(inner, Number(variant)) };
  });
  const refusal: Line = { tone: 'bad', text: blocked ?? '', href: null };
  const passed: Line = { tone: 'good', text: texts.sender[language], href: null };
  const stands = missing.length > 0 ? missing : [blocked === null ? passed : refusal];
  const domains = placeOf(call, `/domains/at/${encodeURIComponent(dmarc.record.name.replace(/^_dmarc\./, ''))}`);
  const policy: Line = {
    tone: dmarc.status === 'found' ? 'good' : 'warn',
    text: dmarcTexts[dmarc.status][language],
    href: dmarc.status === 'found' ? null : domains,
  };
  const others = advice.flatMap((list, variant) =>
    list.map((one): Line => {
      const prefix = advice.length > 1 ? texts.variantPrefix[language].replace('{letter}', letterOf(variant)) : '';
      const href = one.isFine
        ? null
        : placeOfField(fieldOf(one.path, variant), one.path?.startsWith('content') ? variant : 0);
      return { tone: one.isFine ? 'good' : 'warn', text: prefix + told(one, language), href };
    }),
  );
  return [...stands, policy, ...others];
}

const fieldOf = (path: string | null, variant: number): string | null =>
  path === null || variant === 0 || path.startsWith('content') ? path : `ab_test.variants[${variant}].${path}`;

function told({ check, isFine, count, names }: Advice, language: Language): string {
  const sentence = (isFine ? fineTexts : adviceTexts)[check][language];
  return sentence.replace('{count}', numberOf(count, language)).replace('{names}', () => names.join(', '));
}
