import type { BrandChanges } from '../../../../domain/workspace/brandChanges.ts';
import { mailBrandBounds as bounds, mailAlignments, mailFontNames } from '../../../../domain/workspace/mailBrand.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { type BrandJson, sampleMessage, setBrand, showBrand } from '../../../../services/brand.ts';
import { type ConsoleCall, type ConsoleReply, may, redirect } from '../../../call.ts';
import { cardOf, factsOf, numberOf } from '../../../layout/elements.ts';
import { emptyForm, type FormState, field, problemsOf, submitForm, tokenField } from '../../../layout/form.ts';
import { messageInScheme, messagePolicy } from '../../../layout/message.ts';
import { pathOf } from '../../../paths.ts';
import { brandTexts as texts } from './brandTexts.ts';
import { settingsPage } from './settingsPage.ts';

const path = '/settings/brand';

const names = ['color', 'logo', 'logoUrl', 'logoWidth', 'background', 'text', 'font', 'width', 'align'];
const footerNames = ['name', 'address', 'links', 'requiresAddress'];

/** The look of the public pages and of the mail, with a sample. */
export async function showBrandSettings(call: ConsoleCall, filled: FormState = emptyForm): Promise<ConsoleReply> {
  const { context, language } = call;
  const brand = await showBrand(context);
  const isWrong = filled.issues.length > 0;
  const written = filled.values.size > 0 ? shownValues(filled.values) : {};
  const sample = (view: 'light' | 'dark') =>
    html`<h3>${texts[view][language]}</h3><iframe sandbox="" src="${pathOf(call, `${path}/sample`, { ...written, view })}" data-sample="${pathOf(call, `${path}/sample`)}" data-view="${view}" title="${texts.preview[language]}: ${texts[view][language]}"></iframe>`;
  const form = may(call, 'change') ? brandForm(call, filled, brand) : facts(call, brand);
  return settingsPage(call, 'brand', {
    body: html`<div class="two">${cardOf(null, html`${problemsOf(filled, language, [...names, ...footerNames])}${form}`)}
${cardOf(texts.preview[language], html`<p class="soft small">${texts.previewWhat[language]}</p>${sample('light')}${sample('dark')}`)}</div>`,
    files: { script: 'brand.js' },
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

/** The message of the sample, in the colours that the query names instead of the stored ones. */
export async function showSample(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, query } = call;
  const body = await sampleMessage(context, query.has('color') ? changesOf(query) : {});
  const shown = messageInScheme(body, query.get('view') === 'dark');
  return { kind: 'file', type: 'text/html; charset=utf-8', body: shown, policy: messagePolicy };
}

export async function saveBrand(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, request } = call;
  const file = request.files.get('logo');
  const act = async () => {
    const logo = file && file.bytes.length > 0 ? file.bytes : form.get('drop') === 'yes' ? null : undefined;
    await setBrand(context, { changes: { ...changesOf(form), logo } });
    return redirect(pathOf(call, path, { done: 'saved' }));
  };
  return submitForm(call, act, (filled) => showBrandSettings(call, filled));
}

/** What the form says: an empty field removes a value. */
function changesOf(form: URLSearchParams): BrandChanges {
  const text = (name: string) => form.get(name)?.trim().replaceAll('\r\n', '\n') || null;
  const pixels = (name: string) => (text(name) === null ? null : Number(text(name)));
  const lines = (name: string) =>
    (text(name) ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const links = lines('links');
  return {
    color: text('color'),
    background: text('background')?.toLowerCase() ?? null,
    text: text('text')?.toLowerCase() ?? null,
    font: mailFontNames.find((name) => name === text('font')) ?? null,
    width: pixels('width'),
    align: mailAlignments.find((name) => name === text('align')) ?? null,
    logoUrl: text('logoUrl'),
    logoWidth: pixels('logoWidth'),
    name: text('name'),
    address: lines('address').join('\n') || null,
    links: links.length > 0 ? links : null,
    requiresAddress: form.get('requiresAddress') === 'yes' || null,
  };
}

const shownValues = (values: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...names, ...footerNames].flatMap((name) => (values.has(name) ? [[name, values.get(name) ?? '']] : [])),
  );

function brandForm(call: ConsoleCall, filled: FormState, brand: BrandJson): Html {
  const { language, formToken } = call;
  const problems = filled.issues.filter((issue) => issue.path === 'logo').map(({ text }) => text[language]);
  const invalid = problems.length > 0 ? html` aria-invalid="true"` : null;
  const drop = brand.logo
    ? html`<label class="pick"><input type="checkbox" name="drop" value="yes"><span>${texts.dropLogo[language]}</span></label>`
    : null;
  const own = (
    name: string,
    label: keyof typeof texts,
    value: unknown,
    more: Partial<Parameters<typeof field>[2]> = {},
  ) => field(filled, language, { name, label: texts[label][language], value: String(value ?? ''), ...more });
  const hint = (name: keyof typeof texts) => ({ hint: texts[name][language] });
  const choice = (all: readonly string[]) => ({
    options: [['', texts.usual[language]] as const, ...all.map((name) => [name, labelOf(name, call)] as const)],
  });
  const isRequired = filled.values.size > 0 ? filled.values.get('requiresAddress') === 'yes' : brand.requires_address;
  return html`<form method="post" enctype="multipart/form-data" action="${pathOf(call, path)}" class="stack" data-brand novalidate><input type="hidden" name="${tokenField}" value="${formToken}">
<fieldset><legend>${texts.pagesAndMail[language]}</legend>${own('color', 'color', brand.color, hint('colorHint'))}
<div class="field"><label for="logo">${texts.logo[language]}</label><p class="hint" id="logo-hint">${logoText(call, brand)} ${texts.logoHint[language]}</p>
<input type="file" id="logo" name="logo" accept="image/png,image/jpeg,image/webp"${invalid} aria-describedby="logo-hint logo-problem"><p class="problem" id="logo-problem">${problems.join('; ')}</p>${drop}</div></fieldset>
<fieldset><legend>${texts.mail[language]}</legend>${own('logoUrl', 'logoUrl', brand.logo_url, { type: 'url', ...hint('logoUrlHint') })}
<div class="pair">${own('logoWidth', 'logoWidth', brand.logo_width, { hint: rangeText(call, bounds.logoWidth) })}
${own('width', 'width', brand.width, { hint: rangeText(call, bounds.width) })}</div>
<div class="pair">${own('background', 'background', brand.background, hint('backgroundHint'))}
${own('text', 'text', brand.text, hint('textHint'))}</div>
<div class="pair">${own('font', 'font', brand.font, choice(mailFontNames.slice(1)))}
${own('align', 'align', brand.align, choice(mailAlignments.slice(1)))}</div></fieldset>
<fieldset><legend>${texts.footer[language]}</legend>${own('name', 'name', brand.name, hint('nameHint'))}
${own('address', 'address', brand.address, { type: 'textarea', ...hint('addressHint') })}
<label class="pick"><input type="checkbox" name="requiresAddress" value="yes"${isRequired ? html` checked` : null}><span>${texts.requiresAddress[language]}</span></label>
${own('links', 'links', brand.links.join('\n'), { type: 'textarea', ...hint('linksHint') })}</fieldset>
<button>${texts.save[language]}</button></form>`;
}

/** Fonts have their own names. */
function labelOf(name: string, { language }: ConsoleCall): string {
  if (name === 'center') return texts.center[language];
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const rangeText = (
  { language }: ConsoleCall,
  { least, most, usual }: { readonly least: number; readonly most: number; readonly usual: number },
): string =>
  texts.range[language].replace('{least}', `${least}`).replace('{most}', `${most}`).replace('{usual}', `${usual}`);

function logoText({ language }: ConsoleCall, { logo }: BrandJson): string {
  const size = numberOf(Math.ceil((logo?.size ?? 0) / 1024), language);
  return logo ? texts.hasLogo[language].replace('{size}', size) : texts.noLogo[language];
}

/** For operators who may not change it. */
function facts(call: ConsoleCall, brand: BrandJson): Html {
  const { language } = call;
  const shown = (value: string | number | null) => (value === null ? texts.usual[language] : String(value));
  return factsOf([
    [texts.color[language], shown(brand.color)],
    [texts.logo[language], logoText(call, brand)],
    [texts.logoUrl[language], shown(brand.logo_url)],
    [texts.background[language], shown(brand.background)],
    [texts.text[language], shown(brand.text)],
    [texts.font[language], shown(brand.font)],
    [texts.width[language], shown(brand.width)],
    [texts.name[language], shown(brand.name)],
    [texts.address[language], shown(brand.address)],
    [texts.links[language], brand.links.join(', ')],
  ]);
}
