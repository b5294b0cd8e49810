import { QuoteType, Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

export interface TrackedLink {
  readonly url: string;
  /** From the attribute `ses:tags`, as Click events carry them. */
  readonly tags: Readonly<Record<string, string[]>>;
}

export interface TrackingTargets {
  /** Null when opens are not tracked. */
  readonly openUrl: string | null;
  /** Registers a link and answers its tracked address, or null to leave the link unchanged. */
  readonly track: (link: TrackedLink) => string | null;
}

interface Attribute {
  readonly name: string;
  readonly start: number;
  end: number;
  value: string;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const placeholder = '{{ses:openTracker}}';

/**
 * Rewrites an HTML body as SES does: http and https links of anchors go through the tracker, `ses:no-track` and `ses:tags`
 * are removed, the pixel replaces the first `{{ses:openTracker}}` or is at the end. The rest stays byte for byte.
 * https://docs.aws.amazon.com/ses/latest/dg/faqs-metrics.html
 */
export function rewriteHtml(html: string, targets: TrackingTargets): string {
  const edits: Edit[] = [];
  const placeholders: number[] = [];
  let bodyEnd: number | null = null;
  scan(html, {
    anchor: (attributes) => edits.push(...anchorEdits(html, attributes, targets)),
    text: (start, end) => placeholders.push(...occurrences(html, start, end)),
    bodyEnd: (start) => {
      bodyEnd = start;
    },
  });
  const pixel = targets.openUrl ? pixelTag(targets.openUrl) : '';
  placeholders.forEach((start, index) => {
    edits.push({ start, end: start + placeholder.length, text: index === 0 ? pixel : '' });
  });
  const end = bodyEnd ?? html.length;
  if (placeholders.length === 0 && pixel) edits.push({ start: end, end, text: pixel });
  return applyEdits(html, edits);
}

const pixelTag = (url: string) =>
  `<img alt="" src="${url}" style="display: none; width: 1px; height: 1px;" width="1" height="1">`;

function anchorEdits(html: string, attributes: readonly Attribute[], targets: TrackingTargets): Edit[] {
  const find = (name: string) => attributes.find((attribute) => attribute.name === name);
  const [href, noTrack, tags] = [find('href'), find('ses:no-track'), find('ses:tags')];
  const edits = [noTrack, tags].flatMap((attribute) => (attribute ? [removal(html, attribute)] : []));
  const url = href?.value.trim() ?? '';
  if (!href || noTrack || !isTrackable(url)) return edits;
  const address = targets.track({ url, tags: parseLinkTags(tags?.value ?? '') });
  return address ? [...edits, { start: href.start, end: href.end, text: `href="${address}"` }] : edits;
}

/** SES tracks only what complies with RFC 3986; a link with a bare space is delivered unchanged. */
function isTrackable(url: string): boolean {
  return /^https?:\/\/(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/i.test(url);
}

/** `key:value;key:value`, as inline CSS is written. */
function parseLinkTags(text: string): Record<string, string[]> {
  const tags: Record<string, string[]> = {};
  for (const pair of text.split(';')) {
    const [key = '', ...value] = pair.split(':');
    if (key.trim()) tags[key.trim()] = [...(tags[key.trim()] ?? []), value.join(':').trim()];
  }
  return tags;
}

function removal(html: string, attribute: Attribute): Edit {
  let start = attribute.start;
  while (/\s/.test(html[start - 1] ?? '')) start -= 1;
  return { start, end: attribute.end, text: '' };
}

interface ScanEvents {
  anchor(attributes: readonly Attribute[]): void;
  text(start: number, end: number): void;
  bodyEnd(start: number): void;
}

/** Uses htmlparser2's tokenizer, which reports offsets, so that nothing is serialised again. */
function scan(html: string, events: ScanEvents): void {
  let tag = '';
  let attributes: Attribute[] = [];
  const nothing = () => {};
  const openTagEnd = () => {
    if (tag === 'a') events.anchor(attributes);
    attributes = [];
  };
  const current = () => attributes.at(-1);
  const callbacks: TokenizerCallbacks = {
    onopentagname: (start, end) => {
      tag = html.slice(start, end).toLowerCase();
      attributes = [];
    },
    onattribname: (start, end) => {
      attributes.push({ name: html.slice(start, end).toLowerCase(), start, end, value: '' });
    },
    onattribdata: (start, end) => {
      const attribute = current();
      if (attribute) attribute.value += html.slice(start, end);
    },
    onattribentity: (codepoint) => {
      const attribute = current();
      if (attribute) attribute.value += String.fromCodePoint(codepoint);
    },
    onattribend: (quote, end) => {
      const attribute = current();
      if (attribute && quote !== QuoteType.NoValue) attribute.end = end;
    },
    onopentagend: openTagEnd,
    onselfclosingtag: openTagEnd,
    onclosetag: (start, end) => {
      if (html.slice(start, end).toLowerCase() === 'body') events.bodyEnd(html.lastIndexOf('<', start));
    },
    ontext: events.text,
    ontextentity: nothing,
    oncdata: nothing,
    oncomment: nothing,
    ondeclaration: nothing,
    onprocessinginstruction: nothing,
    onend: nothing,
  };
  const tokenizer = new Tokenizer({ xmlMode: false, decodeEntities: true }, callbacks);
  tokenizer.write(html);
  tokenizer.end();
}

function occurrences(html: string, start: number, end: number): number[] {
  const found: number[] = [];
  for (let at = html.indexOf(placeholder, start); at >= 0 && at < end; at = html.indexOf(placeholder, at + 1)) {
    found.push(at);
  }
  return found;
}

function applyEdits(html: string, edits: Edit[]): string {
  let result = '';
  let done = 0;
  for (const edit of edits.sort((one, other) => one.start - other.start)) {
    result += html.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  return result + html.slice(done);
}
