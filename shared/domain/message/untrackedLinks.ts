/** A tag ends at the next `<` too, so that a page of `<a <a <a` is read once and not once for each of them. */
const anchor = /<a\b(?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
const href = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i;

/**
 * Marks each link to `url` with `ses:no-track`, so that SES leaves it as it is (SES Developer Guide, "Can I disable
 * click tracking for a link?"): an unsubscribe link must reach its target without a detour.
 */
export function markUntracked(html: string, url: string): string {
  return html.replace(anchor, (tag) => {
    const found = href.exec(tag);
    const target = found?.[1] ?? found?.[2] ?? found?.[3];
    if (target === undefined || !isSame(decodeAmpersands(target).trim(), url)) return tag;
    if (/\sses:no-track\b/i.test(tag)) return tag;
    return `<a ses:no-track${tag.slice(2)}`;
  });
}

/** A page may write an IDN host as people read it where the header has it in punycode. */
const isSame = (target: string, url: string): boolean =>
  target === url || (/\P{ASCII}/u.test(target) && URL.parse(target)?.href === URL.parse(url)?.href);

const decodeAmpersands = (text: string): string => text.replaceAll(/&(?:amp|#38|#x26);/gi, '&');
