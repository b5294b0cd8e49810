import type { WrittenDraft } from '../../../../contract/schemas/campaign/draft.ts';
import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { type Filled, field } from '../../../frame/form.ts';
import { editorTexts as texts } from './texts.ts';

export const letterOf = (variant: number): string => 'ABCD'.charAt(variant);

const mostVariants = 4;

/** The variants besides the first, which is the campaign itself, and how the best of them is found. */
export function testForm(language: Language, filled: Filled, { variants, test }: WrittenDraft): Html {
  const text = (name: keyof typeof texts) => texts[name][language];
  const lettered = (name: keyof typeof texts, variant: number) => text(name).replace('{letter}', letterOf(variant));
  const rows = variants.slice(1).map((variant, index) => {
    const number = index + 1;
    const path = `ab_test.variants[${number}]`;
    return html`<div class="variant"><input type="hidden" name="${path}.name" value="${variant.name ?? ''}">
<div data-inline="line">${field(filled, language, { name: `${path}.subject`, label: lettered('variantSubject', number), value: variant.subject })}</div>
<div data-inline="line">${field(filled, language, { name: `${path}.preheader`, label: lettered('variantPreheader', number), value: variant.preheader ?? '' })}</div>
<button class="plain small" name="do" value="variant:remove:${number}" data-leaves>${lettered('removeVariant', number)}</button></div>`;
  });
  const add =
    variants.length < mostVariants
      ? html`<button class="plain" name="do" value="variant:add" data-leaves>${text('addVariant')}</button>`
      : null;
  const rules = html`<div class="pair">
${field(filled, language, { name: 'ab_test.test_share', label: text('share'), hint: text('shareHint'), value: String(Math.round((test?.share ?? 0.2) * 100)) })}
${field(filled, language, { name: 'ab_test.wait_hours', label: text('waitHours'), hint: text('waitHint'), value: String(test?.waitHours ?? 4) })}</div>
${field(filled, language, { name: 'ab_test.decide_by', label: text('decideBy'), value: test?.decideBy ?? 'opens', options: [['opens', text('decideOpens')] as const, ['clicks', text('decideClicks')] as const] })}`;
  return html`<p class="soft small">${text('testWhat')}</p>${rows}${variants.length > 1 ? rules : null}${add}`;
}

/** Which variant's message is written, where they differ. */
export function variantSwitch(language: Language, { variants }: WrittenDraft, shown: number, shared: boolean): Html {
  if (variants.length < 2) return html`<input type="hidden" name="shared" value="yes">`;
  const buttons = variants.map((_, variant) => {
    const label = texts.editVariant[language].replace('{letter}', letterOf(variant));
    return html`<button class="plain small" name="do" value="variant:show:${variant}" data-leaves aria-pressed="${variant === shown ? 'true' : 'false'}">${label}</button>\n`;
  });
  return html`<label class="pick"><input type="checkbox" name="shared" value="yes"${shared ? html` checked` : null}><span>${texts.shared[language]}<small>${texts.sharedHint[language]}</small></span></label>
<div class="row">${buttons}</div><input type="hidden" name="variant" value="${shown}">`;
}
