import { type Html, html } from '../../pages/html.ts';

interface Part {
  /** What the page and its later answer both call it. */
  readonly name: string;
  /** The room that is kept for it, by a class of the page's own style. */
  readonly className?: string;
  /** True for what a screen reader is to say when it comes. */
  readonly isSaid?: boolean;
}

/** What is said in the place of a part that has not come yet. */
export interface Waiting {
  readonly waits: string;
  readonly fails: string;
  /** Of the link that leads to the page with the part in it, which whoever has no script follows. */
  readonly asks: string;
  readonly again: string;
}

/** A part of a page that takes longer than the page, once it is there. */
export const partOf = (part: Part, body: Html | null): Html => html`<div ${attributesOf(part)}>${body}</div>
`;

/**
 * Its place until then: the script asks for the page at `href`, which has the part in it. Of several parts of one address
 * one says what is waited for.
 */
export const laterPart = (part: Part, href: string, before: Html | null, waiting: Waiting | null = null): Html =>
  html`<div ${attributesOf(part)} data-later="${href}">${before}${waiting === null ? null : said(href, waiting)}</div>
`;

const attributesOf = ({ name, className = '', isSaid = false }: Part): Html =>
  html`data-part="${name}" class="later ${className}"${isSaid ? html` role="status"` : null}`;

const said = (href: string, { waits, fails, asks, again }: Waiting): Html =>
  html`<p class="soft" data-waits hidden>${waits}<progress aria-label="${waits}"></progress></p>
<p class="problem" data-fails hidden>${fails}</p><p data-asks><a class="button plain" href="${href}" data-again="${again}">${asks}</a></p>`;
