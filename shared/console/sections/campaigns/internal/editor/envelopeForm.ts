import type { WrittenDraft } from '../../../../../contract/schemas/campaignDraft.ts';
import type { Language } from '../../../../../language/languages.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { type FormState, field } from '../../../../layout/form.ts';
import { letterOf } from '../campaignElements.ts';
import { editorTexts as texts } from './editorTexts.ts';

/** What the form offers to choose from. */
export interface Choices {
  readonly senders: readonly { readonly email: string; readonly name: string | null }[];
  readonly segments: readonly { readonly id: string; readonly name: string }[];
  /** The topics that people can leave. */
  readonly kinds: readonly { readonly tag: string; readonly name: string }[];
}

/** Name, sender, audience, subject, preview text, tracking. */
export function envelopeForm(language: Language, filled: FormState, draft: WrittenDraft, choices: Choices): Html {
  const [first] = draft.variants;
  const text = (name: keyof typeof texts) => texts[name][language];
  const switches = (value: boolean | undefined) => ({
    value: value === undefined ? '' : value ? 'yes' : 'no',
    options: [['', text('asWorkspace')] as const, ['yes', text('yes')] as const, ['no', text('no')] as const],
  });
  return html`<div data-inline="line">${field(filled, language, { name: 'subject', label: text('subject'), value: first?.subject ?? '' })}</div>
<div data-inline="line">${field(filled, language, { name: 'preheader', label: text('preheader'), hint: text('preheaderHint'), value: first?.preheader ?? '' })}</div>
<div class="pair">${field(filled, language, { name: 'from', label: text('from'), value: first?.from ?? '', options: sendersOf(choices, first?.from ?? '') })}
${field(filled, language, { name: 'segment_id', label: text('audience'), value: draft.segmentId ?? '', options: audiencesOf(language, choices, draft.segmentId) })}</div>
<p class="hint">${text('audienceHint')}</p>
${kindField(language, filled, choices, draft.tag)}
${field(filled, language, { name: 'name', label: text('name'), hint: text('nameHint'), value: draft.name })}
<details><summary>${text('more')}</summary>
${field(filled, language, { name: 'reply_to', label: text('replyTo'), hint: text('replyToHint'), type: 'textarea', value: (draft.replyTo ?? []).join('\n') })}
<div class="pair">
${field(filled, language, { name: 'track.opens', label: text('opens'), ...switches(draft.track.opens) })}
${field(filled, language, { name: 'track.clicks', label: text('clicks'), ...switches(draft.track.clicks) })}</div></details>`;
}

/** Shown only if the workspace has topics. People who left the chosen topic get nothing. */
function kindField(language: Language, filled: FormState, { kinds }: Choices, current: string | null): Html | null {
  if (kinds.length === 0 && current === null) return null;
  const known = kinds.map(({ tag, name }): [string, string] => [tag, name]);
  const isKnown = current === null || known.some(([tag]) => tag === current);
  const options = [['', texts.noKind[language]] as const, ...known, ...(isKnown ? [] : [[current, current] as const])];
  const [label, hint] = [texts.kind[language], texts.kindHint[language]];
  return field(filled, language, { name: 'tag', label, hint, value: current ?? '', options });
}

/** The senders as options, in the form of `from`; includes the current one even if the workspace no longer lists it. */
function sendersOf({ senders }: Choices, current: string): [string, string][] {
  const written = senders.map(({ email, name }) => (name ? `"${name.replace(/["\\]/g, '\\$&')}" <${email}>` : email));
  const shown = senders.map(({ email, name }) => (name ? `${name} <${email}>` : email));
  const known = written.map((value, index): [string, string] => [value, shown[index] ?? value]);
  return written.includes(current) ? known : [[current, current], ...known];
}

function audiencesOf(language: Language, { segments }: Choices, current: string | null): [string, string][] {
  const known = segments.map(({ id, name }): [string, string] => [id, name]);
  const isKnown = current === null || known.some(([id]) => id === current);
  return [['', texts.everybody[language]], ...known, ...(isKnown ? [] : [[current, current] as [string, string]])];
}

const maxVariants = 4;

/** The variants after the first, which is the campaign itself, and how the winner is chosen. */
export function testForm(language: Language, filled: FormState, { variants, test }: WrittenDraft): Html {
  const text = (name: keyof typeof texts) => texts[name][language];
  const lettered = (name: keyof typeof texts, variant: number) => text(name).replace('{letter}', letterOf(variant));
  const rows = variants.slice(1).map((variant, index) => {
    const number = index + 1;
    const path = `ab_test.variants[${number}]`;
    return html`<div class="variant"><input type="hidden" name="${path}.name" value="${variant.name ?? ''}">
<div data-inline="line">${field(filled, language, { name: `${path}.subject`, label: lettered('variantSubject', number), value: variant.subject })}</div>
<div data-inline="line">${field(filled, language, { name: `${path}.preheader`, label: lettered('variantPreheader', number), value: variant.preheader ?? '' })}</div>
<button class="plain small" name="do" value="variant:remove:${number}" data-navigates>${lettered('removeVariant', number)}</button></div>`;
  });
  const add =
    variants.length < maxVariants
      ? html`<button class="plain" name="do" value="variant:add" data-navigates>${text('addVariant')}</button>`
      : null;
  const rules = html`<div class="pair">
${field(filled, language, { name: 'ab_test.test_share', label: text('share'), hint: text('shareHint'), value: String(Math.round((test?.share ?? 0.2) * 100)) })}
${field(filled, language, { name: 'ab_test.wait_hours', label: text('waitHours'), hint: text('waitHint'), value: String(test?.waitHours ?? 4) })}</div>
${field(filled, language, { name: 'ab_test.decide_by', label: text('decideBy'), value: test?.decideBy ?? 'opens', options: [['opens', text('decideOpens')] as const, ['clicks', text('decideClicks')] as const] })}`;
  return html`<p class="soft small">${text('testWhat')}</p>${rows}${variants.length > 1 ? rules : null}${add}`;
}

/** Chooses the variant whose message is edited, if the variants have different messages. */
export function variantSwitch(language: Language, { variants }: WrittenDraft, shown: number, shared: boolean): Html {
  if (variants.length < 2) return html`<input type="hidden" name="shared" value="yes">`;
  const buttons = variants.map((_, variant) => {
    const label = texts.editVariant[language].replace('{letter}', letterOf(variant));
    return html`<button class="plain small" name="do" value="variant:show:${variant}" data-navigates aria-pressed="${variant === shown ? 'true' : 'false'}">${label}</button>\n`;
  });
  return html`<label class="pick"><input type="checkbox" name="shared" value="yes"${shared ? html` checked` : null}><span>${texts.shared[language]}<small>${texts.sharedHint[language]}</small></span></label>
<div class="row">${buttons}</div><input type="hidden" name="variant" value="${shown}">`;
}
