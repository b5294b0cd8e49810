import type { Advice } from '../../../../domain/campaign/advice.ts';
import type { RecordCheck } from '../../../../domain/dns/recordCheck.ts';
import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import {
  dmarcOf,
  dryRunOf,
  type Preflight,
  preflightCampaign,
} from '../../../../services/campaigns/operator/preflight.ts';
import { campaignFiles } from '../../../assets/campaigns/campaign.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf } from '../../../call.ts';
import { laterPart, partOf } from '../../../frame/later.ts';
import { pageOf } from '../../../frame/layout.ts';
import { cardOf, linkButton, numberOf, type Tone, tag } from '../../../frame/parts.ts';
import { letterOf } from '../editor/testForm.ts';
import { campaignPath } from '../list.ts';
import { waitingFor } from './counted.ts';
import { adviceTexts, dmarcTexts, fineTexts, sendingTexts as texts } from './texts.ts';

/**
 * Every check before a send: what stops it, what is worth a look, what is well. What takes a count of everybody, or an
 * answer of DNS, comes after the page.
 */
export async function showCheck(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters, query } = call;
  const found = await preflightCampaign(context, { id: parameters.id ?? '' });
  const { campaign, blocked } = found;
  const path = campaignPath(campaign.id);
  const lines = linesOf(call, found);
  const group = (tone: Tone, title: string) => {
    const own = lines.filter((line) => line.tone === tone);
    return own.length > 0
      ? cardOf(title, html`<ul class="checks">${own.map((line) => item(line, language))}</ul>`)
      : null;
  };
  const isOpen = may(call, 'change') && campaign.status === 'draft';
  const counted = query.has('count') ? await countedOf(call, found) : null;
  const parts = counted ? countedParts(call, counted) : laterParts(call, campaign.id, blocked);
  const isReady = blocked === null && (counted === null || counted.blocked === null);
  const steps = nextSteps(call, path, isReady);
  const audience = linkButton(texts.audience[language], placeOf(call, `${path}/audience`));
  return pageOf(call, {
    room: 'campaigns',
    parent: { label: campaign.name, path },
    title: texts.checkTitle[language],
    actions: isOpen
      ? counted
        ? partOf(stepsPart, steps)
        : laterPart(stepsPart, countPath(call, path), steps)
      : audience,
    body: html`${parts.verdict}${cardOf(texts.whoAndDomain[language], parts.lines)}
${group('bad', texts.blocks[language])}${group('warn', texts.advice[language])}${group('good', texts.fine[language])}`,
    files: campaignFiles(),
  });
}

const stepsPart = { name: 'steps', className: 'steps' };
const verdictPart = { name: 'verdict', className: 'verdict', isSaid: true };
const linesPart = { name: 'lines', className: 'lines' };

const countPath = (call: ConsoleCall, path: string): string => placeOf(call, `${path}/check`, { count: 'yes' });

/** What a count of everybody and an answer of DNS bring. */
interface Counted {
  readonly blocked: string | null;
  /** Null where it is refused before anybody is counted. */
  readonly recipients: number | null;
  readonly dmarc: RecordCheck;
}

async function countedOf({ context }: ConsoleCall, { campaign, blocked }: Preflight): Promise<Counted> {
  const [counted, dmarc] = await Promise.all([
    blocked === null ? dryRunOf(context, campaign.id) : { blocked, recipients: null },
    dmarcOf(context, campaign),
  ]);
  return { ...counted, dmarc };
}

function laterParts(call: ConsoleCall, id: string, blocked: string | null): { verdict: Html; lines: Html } {
  const { language } = call;
  const href = countPath(call, campaignPath(id));
  const said =
    blocked === null
      ? html`<div class="say wait"><p>${texts.readySoFar[language]}</p></div>`
      : html`<div class="say bad"><p>${texts.notReady[language]}</p></div>`;
  return {
    verdict: laterPart(verdictPart, href, said),
    lines: laterPart(linesPart, href, null, waitingFor(language)),
  };
}

function countedParts(call: ConsoleCall, { blocked, recipients, dmarc }: Counted): { verdict: Html; lines: Html } {
  const { language } = call;
  const count = numberOf(recipients ?? 0, language);
  const isReady = blocked === null;
  const said = isReady ? texts.ready[language].replace('{count}', count) : texts.notReady[language];
  const domains = placeOf(call, `/domains/at/${encodeURIComponent(dmarc.record.name.replace(/^_dmarc\./, ''))}`);
  const policy: Line = {
    tone: dmarc.status === 'found' ? 'good' : 'warn',
    text: dmarcTexts[dmarc.status][language],
    href: dmarc.status === 'found' ? null : domains,
  };
  const people: Line[] =
    recipients === null
      ? []
      : [
          isReady
            ? { tone: 'good', text: texts.peopleFine[language].replace('{count}', count), href: null }
            : { tone: 'bad', text: blocked, href: null },
        ];
  return {
    verdict: partOf(verdictPart, html`<div class="say ${isReady ? 'good' : 'bad'}"><p>${said}</p></div>`),
    lines: partOf(linesPart, html`<ul class="checks">${[...people, policy].map((line) => item(line, language))}</ul>`),
  };
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
  const { campaign, issues, blocked, advice } = found;
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
  const others = advice.flatMap((list, variant) =>
    list.map((one): Line => {
      const prefix = advice.length > 1 ? texts.variantPrefix[language].replace('{letter}', letterOf(variant)) : '';
      const href = one.isFine
        ? null
        : placeOfField(fieldOf(one.path, variant), one.path?.startsWith('content') ? variant : 0);
      return { tone: one.isFine ? 'good' : 'warn', text: prefix + told(one, language), href };
    }),
  );
  return [...stands, ...others];
}

const fieldOf = (path: string | null, variant: number): string | null =>
  path === null || variant === 0 || path.startsWith('content') ? path : `ab_test.variants[${variant}].${path}`;

function told({ check, isFine, count, names }: Advice, language: Language): string {
  const sentence = (isFine ? fineTexts : adviceTexts)[check][language];
  return sentence.replace('{count}', numberOf(count, language)).replace('{names}', () => names.join(', '));
}
