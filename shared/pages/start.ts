import { languageTags, nameOfLanguage } from '../language/languages.ts';
import { config, hasConfig, publicUrl } from '../platform/config.ts';
import { getApiMap } from '../services/apiMap.ts';
import type { PageCall, PageReply } from './call.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { startTexts as texts } from './pageTexts.ts';

/** The start page. */
export const startUrl = (): string => `${publicUrl()}/`;

/** What this service is, with links to its parts. Everything on it is public. */
export async function showStart(call: PageCall): Promise<PageReply> {
  const { language } = call;
  const { entry_points, reference } = await getApiMap(call);
  const places: [keyof typeof texts, Html][] = [
    ['api', link(entry_points.rest)],
    [
      'reference',
      html`${languageTags.map((tag, index) => html`${index > 0 ? ' · ' : null}${named(`${publicUrl()}/reference/${tag}`, nameOfLanguage(tag, tag), tag)}`)}`,
    ],
    [
      'document',
      html`${languageTags.map((tag, index) => html`${index > 0 ? ' · ' : null}${named(reference[tag], `openapi.${tag}.json`, tag)}`)}`,
    ],
    ['mcp', html`<code>${entry_points.mcp}</code>`],
    ...(hasConfig('CONSOLE_URL') ? [['console', link(config('CONSOLE_URL'))] as [keyof typeof texts, Html]] : []),
    ...(hasConfig('INBOX_URL') ? [['inbox', link(config('INBOX_URL'))] as [keyof typeof texts, Html]] : []),
    ['health', link(`${publicUrl()}/health`)],
  ];
  const actions = html`<dl class="places">${places.map(
    ([name, place]) => html`<dt>${texts[name][language]}</dt><dd>${place}</dd>\n`,
  )}</dl>`;
  return {
    status: 200,
    document: layout({
      language,
      workspace: null,
      notice: { title: texts.title, paragraphs: [texts.what, texts.how] },
      actions,
    }),
  };
}

const link = (url: string): Html => html`<a href="${url}">${url}</a>`;
const named = (url: string, name: string, language: string): Html =>
  html`<a href="${url}" hreflang="${language}" lang="${language}">${name}</a>`;
