import { type Html, html } from '../../../pages/html.ts';
import { setBrand } from '../../../services/brand/set.ts';
import { showBrand } from '../../../services/brand/show.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf, redirect } from '../../call.ts';
import { type Filled, field, problemsOf, tokenField, untouched } from '../../frame/form.ts';
import { cardOf, numberOf } from '../../frame/parts.ts';
import { submitted } from '../../frame/submit.ts';
import { brandTexts as texts } from './brandTexts.ts';
import { settingsPage } from './tabs.ts';

const path = '/settings/brand';

/** Colour and logo of the pages that people see. */
export async function showBrandSettings(call: ConsoleCall, filled: Filled = untouched): Promise<ConsoleReply> {
  const { context, language } = call;
  const { color, logo } = await showBrand(context);
  const isWrong = filled.issues.length > 0;
  const size = numberOf(Math.ceil((logo?.size ?? 0) / 1024), language);
  const said = logo ? texts.hasLogo[language].replace('{size}', size) : texts.noLogo[language];
  return settingsPage(call, 'brand', {
    body: html`<div class="two">${cardOf(null, html`${problemsOf(filled, language, ['color', 'logo'])}${brandForm(call, filled, color, said, logo !== null)}`)}
${cardOf(texts.preview[language], html`${sample(color ?? usualColor, texts.join[language])}<p class="soft small">${texts.previewWhat[language]}</p>`)}</div>`,
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

/** Of pages without a colour of their own. */
const usualColor = '#0b57b5';

function brandForm(call: ConsoleCall, filled: Filled, color: string | null, said: string, hasLogo: boolean): Html {
  const { language, formToken } = call;
  if (!may(call, 'change')) return html`<p>${color ?? usualColor}</p><p>${said}</p>`;
  const problems = filled.issues.filter((issue) => issue.path === 'logo').map(({ text }) => text[language]);
  const invalid = problems.length > 0 ? html` aria-invalid="true"` : null;
  const drop = hasLogo
    ? html`<label class="pick"><input type="checkbox" name="drop" value="yes"><span>${texts.dropLogo[language]}</span></label>`
    : null;
  return html`<form method="post" enctype="multipart/form-data" action="${placeOf(call, path)}" class="stack" novalidate><input type="hidden" name="${tokenField}" value="${formToken}">
${field(filled, language, { name: 'color', label: texts.color[language], hint: texts.colorHint[language], value: color ?? '' })}
<div class="field"><label for="logo">${texts.logo[language]}</label><p class="hint" id="logo-hint">${said} ${texts.logoHint[language]}</p>
<input type="file" id="logo" name="logo" accept="image/png,image/jpeg,image/webp"${invalid} aria-describedby="logo-hint logo-problem"><p class="problem" id="logo-problem">${problems.join('; ')}</p>${drop}</div>
<button>${texts.save[language]}</button></form>`;
}

/** A button and a link in the colour, on both grounds: attributes of SVG need no style. */
const sample = (color: string, label: string): Html =>
  html`<svg class="sample" viewBox="0 0 300 120" role="img" aria-label="${color}"><rect width="300" height="120" rx="10" fill="#ffffff" stroke="#dfe3e8"/>
<text x="24" y="40" fill="#1b2027">${label}</text><rect x="24" y="60" width="150" height="36" rx="8" fill="${color}"/><text x="99" y="82" fill="#ffffff" text-anchor="middle">${label}</text></svg>`;

export async function saveBrand(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, request } = call;
  const file = request.files.get('logo');
  const act = async () => {
    const color = form.get('color')?.trim() || null;
    const logo = file && file.bytes.length > 0 ? file.bytes : form.get('drop') === 'yes' ? null : undefined;
    await setBrand(context, { changes: { color, logo } });
    return redirect(placeOf(call, path, { done: 'saved' }));
  };
  return submitted(call, act, (filled) => showBrandSettings(call, filled));
}
