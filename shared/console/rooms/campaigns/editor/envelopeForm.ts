import type { WrittenDraft } from '../../../../contract/schemas/campaign/draft.ts';
import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { type Filled, field } from '../../../frame/form.ts';
import { editorTexts as texts } from './texts.ts';

/** What the form needs to know of the workspace. */
export interface Choices {
  readonly senders: readonly { readonly email: string; readonly name: string | null }[];
  readonly segments: readonly { readonly id: string; readonly name: string }[];
  /** The kinds of mail that people may leave by themselves. */
  readonly kinds: readonly { readonly tag: string; readonly name: string }[];
}

/** Name, sender, audience, subject, preview text, tracking. */
export function envelopeForm(language: Language, filled: Filled, draft: WrittenDraft, choices: Choices): Html {
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
<details><summary>${text('more')}</summary><div class="pair">
${field(filled, language, { name: 'track.opens', label: text('opens'), ...switches(draft.track.opens) })}
${field(filled, language, { name: 'track.clicks', label: text('clicks'), ...switches(draft.track.clicks) })}</div></details>`;
}

/** Only where the workspace has kinds: whoever has left the one that is chosen gets nothing. */
function kindField(language: Language, filled: Filled, { kinds }: Choices, current: string | null): Html | null {
  if (kinds.length === 0 && current === null) return null;
  const known = kinds.map(({ tag, name }): [string, string] => [tag, name]);
  const isKnown = current === null || known.some(([tag]) => tag === current);
  const options = [['', texts.noKind[language]] as const, ...known, ...(isKnown ? [] : [[current, current] as const])];
  const [label, hint] = [texts.kind[language], texts.kindHint[language]];
  return field(filled, language, { name: 'tag', label, hint, value: current ?? '', options });
}

/** As `from` is written; a sender that was given by other means stands among them. */
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
