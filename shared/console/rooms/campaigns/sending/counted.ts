import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { laterPart, partOf, type Waiting } from '../../../frame/later.ts';
import { figuresOf, numberOf } from '../../../frame/parts.ts';
import { sendingTexts as texts } from './texts.ts';

const part = { name: 'count', isSaid: true };

/** What is said while everybody is counted. */
export const waitingFor = (language: Language): Waiting => ({
  waits: texts.counting[language],
  fails: texts.countFails[language],
  asks: texts.countNow[language],
  again: texts.countAgain[language],
});

/** How many would get it, as soon as they are counted; `href` leads to the page that has counted them. */
export const countLater = (language: Language, href: string): Html => laterPart(part, href, null, waitingFor(language));

/** The same once it is known, with what is to be said of it. */
export const countOf = (language: Language, count: number, note: Html | null = null): Html =>
  partOf(part, html`${figuresOf([{ label: texts.recipientsNow[language], value: numberOf(count, language) }])}${note}`);

/** In the place of the number, why nobody would get it now. */
export const countRefused = (reason: string, way: Html): Html =>
  partOf(part, html`<div class="say warn"><p>${reason} ${way}</p></div>`);
