import { type Html, html } from '../../pages/html.ts';

interface Part {
  /** The same in the page and in the later answer. */
  readonly name: string;
  /** A class of the page's style sheet that keeps space for it. */
  readonly className?: string;
  /** True when screen readers announce it once it is loaded. */
  readonly isAnnounced?: boolean;
}

/** Texts shown in place of a part that is not loaded yet. */
export interface Waiting {
  readonly loading: string;
  readonly failed: string;
  /**
   * The label of the link to the page with the loaded part, for readers without scripts; and its label after a failure.
   */
  readonly load: string;
  readonly retry: string;
}

/** A loaded part of a page that takes longer than the page itself. */
export const partOf = (part: Part, body: Html | null): Html => html`<div ${attributesOf(part)}>${body}</div>
`;

/**
 * The placeholder of a part: the script requests the page at `href`, which contains the part. Where several parts have
 * the same address, only one of them has the texts.
 */
export const deferredPart = (part: Part, href: string, before: Html | null, waiting: Waiting | null = null): Html =>
  html`<div ${attributesOf(part)} data-deferred="${href}">${before}${waiting === null ? null : waitingText(href, waiting)}</div>
`;

const attributesOf = ({ name, className = '', isAnnounced = false }: Part): Html =>
  html`data-part="${name}" class="deferred ${className}"${isAnnounced ? html` role="status"` : null}`;

const waitingText = (href: string, { loading, failed, load, retry }: Waiting): Html =>
  html`<p class="soft" data-loading hidden>${loading}<progress aria-label="${loading}"></progress></p>
<p class="problem" data-failed hidden>${failed}</p><p data-retry><a class="button plain" href="${href}" data-retry-label="${retry}">${load}</a></p>`;
