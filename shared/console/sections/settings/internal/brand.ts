import { textsOf } from '../../../../language/text.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { setBrand, showBrand } from '../../../../services/brand.ts';
import { type ConsoleCall, type ConsoleReply, may, redirect } from '../../../call.ts';
import { cardOf, numberOf } from '../../../layout/elements.ts';
import { emptyForm, type FormState, field, problemsOf, submitForm, tokenField } from '../../../layout/form.ts';
import { pathOf } from '../../../paths.ts';
import { settingsPage } from './settingsPage.ts';

const path = '/settings/brand';

/** The colour and logo of the public pages. */
export async function showBrandSettings(call: ConsoleCall, filled: FormState = emptyForm): Promise<ConsoleReply> {
  const { context, language } = call;
  const { color, logo } = await showBrand(context);
  const isWrong = filled.issues.length > 0;
  const size = numberOf(Math.ceil((logo?.size ?? 0) / 1024), language);
  const logoText = logo ? texts.hasLogo[language].replace('{size}', size) : texts.noLogo[language];
  return settingsPage(call, 'brand', {
    body: html`<div class="two">${cardOf(null, html`${problemsOf(filled, language, ['color', 'logo'])}${brandForm(call, filled, color, logoText, logo !== null)}`)}
${cardOf(texts.preview[language], html`${sample(color ?? usualColor, texts.join[language])}<p class="soft small">${texts.previewWhat[language]}</p>`)}</div>`,
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

/** The default colour of pages. */
const usualColor = '#0b57b5';

function brandForm(
  call: ConsoleCall,
  filled: FormState,
  color: string | null,
  logoText: string,
  hasLogo: boolean,
): Html {
  const { language, formToken } = call;
  if (!may(call, 'change')) return html`<p>${color ?? usualColor}</p><p>${logoText}</p>`;
  const problems = filled.issues.filter((issue) => issue.path === 'logo').map(({ text }) => text[language]);
  const invalid = problems.length > 0 ? html` aria-invalid="true"` : null;
  const drop = hasLogo
    ? html`<label class="pick"><input type="checkbox" name="drop" value="yes"><span>${texts.dropLogo[language]}</span></label>`
    : null;
  return html`<form method="post" enctype="multipart/form-data" action="${pathOf(call, path)}" class="stack" novalidate><input type="hidden" name="${tokenField}" value="${formToken}">
${field(filled, language, { name: 'color', label: texts.color[language], hint: texts.colorHint[language], value: color ?? '' })}
<div class="field"><label for="logo">${texts.logo[language]}</label><p class="hint" id="logo-hint">${logoText} ${texts.logoHint[language]}</p>
<input type="file" id="logo" name="logo" accept="image/png,image/jpeg,image/webp"${invalid} aria-describedby="logo-hint logo-problem"><p class="problem" id="logo-problem">${problems.join('; ')}</p>${drop}</div>
<button>${texts.save[language]}</button></form>`;
}

/** A button and a link in the colour, on the light and the dark background. SVG attributes need no inline styles. */
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
    return redirect(pathOf(call, path, { done: 'saved' }));
  };
  return submitForm(call, act, (filled) => showBrandSettings(call, filled));
}

const texts = textsOf({
  color: { en: 'Colour', fr: 'Couleur' },
  colorHint: {
    en: 'For example #0b57b5; must be readable on white. Leave empty for the default.',
    fr: 'Par exemple #0b57b5\u00a0; doit être lisible sur fond blanc. Laissez vide pour la couleur par défaut.',
  },
  logo: { en: 'Logo', fr: 'Logo' },
  logoHint: { en: 'PNG, JPEG or WebP, at most 24 KiB.', fr: 'PNG, JPEG ou WebP, 24 Kio au plus.' },
  hasLogo: { en: 'Current logo: {size} KiB.', fr: 'Logo actuel\u00a0: {size} Kio.' },
  noLogo: { en: 'No logo yet.', fr: 'Aucun logo pour l’instant.' },
  dropLogo: { en: 'Remove the logo', fr: 'Retirer le logo' },
  save: { en: 'Save', fr: 'Enregistrer' },
  preview: { en: 'Preview', fr: 'Aperçu' },
  previewWhat: {
    en: 'Used on the form, on the confirmation page and on preference pages.',
    fr: 'Utilisé sur le formulaire, la page de confirmation et la page de préférences.',
  },
  join: { en: 'Subscribe', fr: 'S’abonner' },
});
