import { type Html, html } from '../../../../pages/html.ts';
import type { ConsoleCall, ConsoleReply } from '../../../call.ts';
import { layoutTexts } from '../../../layout/layoutTexts.ts';
import { type PageContent, pageOf } from '../../../layout/page.ts';
import { pathOf } from '../../../paths.ts';
import { settingsTexts as texts } from './settingsTexts.ts';

const tabs = [
  ['general', '/settings'],
  ['keys', '/settings/keys'],
  ['brand', '/settings/brand'],
  ['form', '/settings/form'],
  ['operators', '/settings/operators'],
  ['audit', '/settings/audit'],
] as const;

type Tab = (typeof tabs)[number][0];

/** A page of the settings, with their tabs. */
export function settingsPage(
  call: ConsoleCall,
  current: Tab,
  content: Partial<PageContent> & { readonly body: Html },
): ConsoleReply {
  const { language } = call;
  const links = tabs.map(([name, path]) => {
    const isCurrent = name === current ? html` aria-current="page"` : null;
    return html`<li><a href="${pathOf(call, path)}"${isCurrent}>${texts[name][language]}</a></li>`;
  });
  const body = html`<nav aria-label="${layoutTexts.settings[language]}"><ul class="tabs">${links}</ul></nav>${content.body}`;
  const title = current === 'general' ? layoutTexts.settings[language] : texts[current][language];
  return pageOf(call, { title, ...content, section: 'settings', body });
}
