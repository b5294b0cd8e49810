import { sentenceOf } from '../../../../../contract/errors.ts';
import { adviceSentences } from '../../../../../domain/content/adviceTexts.ts';
import type { RecordCheck } from '../../../../../domain/dnsRecords.ts';
import type { Language } from '../../../../../language/languages.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { dmarcOf, dryRunOf, type Preflight, preflightCampaign } from '../../../../../services/campaigns/preflight.ts';
import { type ConsoleCall, type ConsoleReply, may } from '../../../../call.ts';
import { deferredPart, partOf } from '../../../../layout/deferred.ts';
import { cardOf, linkButton, numberOf, type Tone, tag } from '../../../../layout/elements.ts';
import { pageOf } from '../../../../layout/page.ts';
import { pathOf } from '../../../../paths.ts';
import { campaignPath } from '../campaignElements.ts';
import { waitingFor } from './audience.ts';
import { dmarcTexts, sendingTexts as texts } from './sendingTexts.ts';

/**
 * Every check before a send: errors, warnings and passed checks. The count of the audience and the DNS lookup are
 * loaded after the page.
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
  const audience = linkButton(texts.audience[language], pathOf(call, `${path}/audience`));
  return pageOf(call, {
    section: 'campaigns',
    parent: { label: campaign.name, path },
    title: texts.checkTitle[language],
    actions: isOpen
      ? counted
        ? partOf(stepsPart, steps)
        : deferredPart(stepsPart, countPath(call, path), steps)
      : audience,
    body: html`${parts.verdict}${cardOf(texts.whoAndDomain[language], parts.lines)}
${group('bad', texts.blocks[language])}${group('warn', texts.advice[language])}${group('good', texts.fine[language])}`,
    files: { style: 'campaign.css', script: 'campaign.js' },
  });
}

const stepsPart = { name: 'steps', className: 'steps' };
const verdictPart = { name: 'verdict', className: 'verdict', isAnnounced: true };
const linesPart = { name: 'lines', className: 'lines' };

const countPath = (call: ConsoleCall, path: string): string => pathOf(call, `${path}/check`, { count: 'yes' });

/** Results that need a count of the audience and a DNS lookup. */
interface Counted {
  readonly blocked: string | null;
  /** Null when the send is refused before the audience is counted. */
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
  const verdict =
    blocked === null
      ? html`<div class="say wait"><p>${texts.readySoFar[language]}</p></div>`
      : html`<div class="say bad"><p>${texts.notReady[language]}</p></div>`;
  return {
    verdict: deferredPart(verdictPart, href, verdict),
    lines: deferredPart(linesPart, href, null, waitingFor(language)),
  };
}

function countedParts(call: ConsoleCall, { blocked, recipients, dmarc }: Counted): { verdict: Html; lines: Html } {
  const { language } = call;
  const count = numberOf(recipients ?? 0, language);
  const isReady = blocked === null;
  const verdict = isReady ? texts.ready[language].replace('{count}', count) : texts.notReady[language];
  const domains = pathOf(call, `/domains/at/${encodeURIComponent(dmarc.record.name.replace(/^_dmarc\./, ''))}`);
  const policy: CheckLine = {
    tone: dmarc.status === 'found' ? 'good' : 'warn',
    text: dmarcTexts[dmarc.status][language],
    href: dmarc.status === 'found' ? null : domains,
  };
  const people: CheckLine[] =
    recipients === null
      ? []
      : [
          isReady
            ? { tone: 'good', text: texts.peopleFine[language].replace('{count}', count), href: null }
            : { tone: 'bad', text: blocked, href: null },
        ];
  return {
    verdict: partOf(verdictPart, html`<div class="say ${isReady ? 'good' : 'bad'}"><p>${verdict}</p></div>`),
    lines: partOf(linesPart, html`<ul class="checks">${[...people, policy].map((line) => item(line, language))}</ul>`),
  };
}

function nextSteps(call: ConsoleCall, path: string, isReady: boolean): Html {
  const { language } = call;
  const link = (name: 'edit' | 'audience' | 'test' | 'schedule' | 'send') =>
    linkButton(texts[name][language], pathOf(call, `${path}/${name}`), name === 'send' ? '' : 'plain');
  return html`${link('edit')}${link('audience')}${link('test')}${isReady ? html`${link('schedule')}${link('send')}` : null}`;
}

interface CheckLine {
  readonly tone: 'bad' | 'warn' | 'good';
  readonly text: string;
  /** The page on which the problem can be corrected. */
  readonly href: string | null;
}

function item({ tone, text, href }: CheckLine, language: Language): Html {
  const labels = { bad: texts.blocksTag, warn: texts.adviceTag, good: texts.fineTag }[tone];
  return html`<li>${tag(labels[language], tone)}<span>${text}${href === null ? null : html` <a href="${href}">${texts.goThere[language]}</a>`}</span></li>
`;
}

function linesOf(call: ConsoleCall, found: Preflight): CheckLine[] {
  const { language } = call;
  const { campaign, issues, blocked, advice } = found;
  const editor = pathOf(call, `${campaignPath(campaign.id)}/edit`, { check: 'yes' });
  const isOpen = may(call, 'change') && campaign.status === 'draft';
  const placeOfField = (path: string | null, variant = 0) =>
    isOpen && path !== null
      ? `${variant === 0 ? editor : `${editor}&variant=${variant}`}#${encodeURIComponent(path)}`
      : null;
  const missing = issues.map((issue): CheckLine => {
    const [, variant = '0', inner = issue.path] =
      /^ab_test\.variants\[(\d)\]\.((?:content|html|plain_text).*)$/.exec(issue.path) ?? [];
    return { tone: 'bad', text: sentenceOf(issue)[language], href: placeOfField(inner, Number(variant)) };
  });
  const refusal: CheckLine = { tone: 'bad', text: blocked ?? '', href: null };
  const passed: CheckLine = { tone: 'good', text: texts.sender[language], href: null };
  const blocking = missing.length > 0 ? missing : [blocked === null ? passed : refusal];
  const others = adviceSentences(advice, language).map(({ isFine, path, variant, text }): CheckLine => {
    const href = isFine ? null : placeOfField(fieldOf(path, variant), isOfBody(path) ? variant : 0);
    return { tone: isFine ? 'good' : 'warn', text, href };
  });
  return [...blocking, ...others];
}

const isOfBody = (path: string | null): boolean => path !== null && /^(?:content|html)/.test(path);

const fieldOf = (path: string | null, variant: number): string | null =>
  path === null || variant === 0 || isOfBody(path) ? path : `ab_test.variants[${variant}].${path}`;
