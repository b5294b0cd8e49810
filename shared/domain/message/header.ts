import type { Text } from '../../language/text.ts';
import { hostOf, isPossibleHost } from '../webAddress.ts';
import { fileExtension } from './attachment.ts';

export type CustomHeaderProblem = 'name_invalid' | 'name_too_long' | 'name_owned' | 'value_invalid' | 'value_too_long';

/** Limits of SES (API_MessageHeader). */
export const maxCustomHeaders = 15;
const maxHeaderNameLength = 126;
export const maxHeaderValueLength = 995;

/** A field name is printable ASCII without a colon (RFC 5322 section 3.6.8). */
const fieldName = /^[!-9;-~]+$/;
const printableAscii = /^[ -~]*$/;
const reservedNames = new Set(
  `from to cc bcc subject reply-to date message-id return-path sender mime-version dkim-signature
   list-unsubscribe list-unsubscribe-post`.split(/\s+/),
);
const reservedPrefixes = ['content-', 'x-ses-'];

/** The problem of a header that a caller adds; null when it is allowed. */
export function customHeaderProblem(name: string, value: string): CustomHeaderProblem | null {
  if (!fieldName.test(name)) return 'name_invalid';
  if (name.length > maxHeaderNameLength) return 'name_too_long';
  if (isReserved(name.toLowerCase())) return 'name_owned';
  if (!printableAscii.test(value)) return 'value_invalid';
  return value.length > maxHeaderValueLength ? 'value_too_long' : null;
}

function isReserved(name: string): boolean {
  return reservedNames.has(name) || reservedPrefixes.some((prefix) => name.startsWith(prefix));
}

export const customHeaderProblemTexts: Record<CustomHeaderProblem, Text> = {
  name_invalid: {
    en: 'is not a header name: only printable ASCII without spaces and colons',
    fr: 'n’est pas un nom d’en-tête : uniquement de l’ASCII imprimable, sans espace ni deux-points',
  },
  name_too_long: {
    en: `has a name longer than ${maxHeaderNameLength} characters`,
    fr: `a un nom de plus de ${maxHeaderNameLength} caractères`,
  },
  name_owned: {
    en: 'is written by the service and cannot be set here',
    fr: 'est écrit par le service et ne peut pas être donné ici',
  },
  value_invalid: {
    en: 'has a value that is not printable ASCII on one line',
    fr: 'a une valeur qui n’est pas de l’ASCII imprimable sur une seule ligne',
  },
  value_too_long: {
    en: `has a value longer than ${maxHeaderValueLength} characters`,
    fr: `a une valeur de plus de ${maxHeaderValueLength} caractères`,
  },
};

export type UnsubscribeUrlProblem = 'invalid' | 'not_https' | 'forbidden_character' | 'too_long';

type UnsubscribeUrlResult =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: UnsubscribeUrlProblem };

/** Fits with `List-Unsubscribe: <…>` into a line of 998 characters (RFC 5322 section 2.1.1). */
export const maxUnsubscribeUrlLength = 900;

/** Characters that would end the URL in the header, or that only browsers accept in a URL (RFC 3986). */
const forbidden = /[\s\p{Cc}<>"\\]/u;
const nonAscii = /\P{ASCII}/u;

/**
 * The target of one-click unsubscribe as written to the header (RFC 8058): unchanged when it is ASCII, else with its host
 * in punycode and the rest percent-encoded (RFC 3986).
 */
export function parseUnsubscribeUrl(text: string, { allowHttp }: { allowHttp: boolean }): UnsubscribeUrlResult {
  if (forbidden.test(text)) return refuse('forbidden_character');
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return refuse('invalid');
  const parsed = new URL(text);
  const { protocol, href } = parsed;
  if (!isPossibleHost(hostOf(parsed))) return refuse('invalid');
  if (protocol !== 'https:' && !allowHttp) return refuse('not_https');
  const url = nonAscii.test(text) ? href : text;
  return url.length > maxUnsubscribeUrlLength ? refuse('too_long') : { ok: true, url };
}

function refuse(problem: UnsubscribeUrlProblem): UnsubscribeUrlResult {
  return { ok: false, problem };
}

export const unsubscribeUrlProblemTexts: Record<UnsubscribeUrlProblem, Text> = {
  invalid: {
    en: 'must be an https URL with a host that exists as a domain name',
    fr: 'doit être une URL https dont l’hôte est un nom de domaine possible',
  },
  not_https: { en: 'must be an https URL', fr: 'doit être une URL https' },
  forbidden_character: {
    en: 'must not contain spaces, control characters or one of <>"\\: percent-encode them',
    fr: 'ne doit contenir ni espace, ni caractère de contrôle, ni l’un de <>"\\ : encodez-les avec %',
  },
  too_long: {
    en: `is longer than ${maxUnsubscribeUrlLength} characters once its host is in punycode and the rest percent-encoded`,
    fr: `fait plus de ${maxUnsubscribeUrlLength} caractères une fois son hôte en punycode et le reste encodé avec %`,
  },
};

/** A tag ends at the next `<` as well, which keeps the time linear for `<a <a <a`. */
const anchor = /<a\b(?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
const href = /\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/i;

/**
 * Adds `ses:no-track` to each link to `url`, so that SES does not rewrite it (SES Developer Guide, "Can I disable click
 * tracking for a link?"). An unsubscribe link must not be redirected.
 */
export function markUntracked(html: string, url: string): string {
  return html.replace(anchor, (tag) => {
    const match = href.exec(tag);
    const target = match?.[1] ?? match?.[2] ?? match?.[3];
    if (target === undefined || !isSame(decodeAmpersands(target).trim(), url)) return tag;
    if (/\sses:no-track\b/i.test(tag)) return tag;
    return `<a ses:no-track${tag.slice(2)}`;
  });
}

/** The page may have an IDN host in Unicode where the header has it in punycode. */
const isSame = (target: string, url: string): boolean =>
  target === url || (/\P{ASCII}/u.test(target) && URL.parse(target)?.href === URL.parse(url)?.href);

const decodeAmpersands = (text: string): string => text.replaceAll(/&(?:amp|#38|#x26);/gi, '&');

const fallback = 'application/octet-stream';

/**
 * Common types of attachments. Each line has a media type (IANA's, or the usual one of mail clients where none is
 * registered) and its extensions, as in mime.types.
 */
const registry = `
  application/pdf pdf
  application/rtf rtf
  application/epub+zip epub
  application/postscript ps ai eps
  application/vnd.ms-xpsdocument xps
  application/msword doc dot
  application/vnd.ms-excel xls
  application/vnd.ms-powerpoint ppt pps
  application/vnd.ms-outlook msg
  application/vnd.ms-word.document.macroenabled.12 docm
  application/vnd.ms-excel.sheet.macroenabled.12 xlsm
  application/vnd.ms-excel.sheet.binary.macroenabled.12 xlsb
  application/vnd.ms-powerpoint.presentation.macroenabled.12 pptm
  application/vnd.visio vsd
  application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
  application/vnd.openxmlformats-officedocument.wordprocessingml.template dotx
  application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
  application/vnd.openxmlformats-officedocument.spreadsheetml.template xltx
  application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
  application/vnd.openxmlformats-officedocument.presentationml.slideshow ppsx
  application/vnd.oasis.opendocument.text odt
  application/vnd.oasis.opendocument.spreadsheet ods
  application/vnd.oasis.opendocument.presentation odp
  application/vnd.oasis.opendocument.graphics odg
  application/vnd.apple.pages pages
  application/vnd.apple.numbers numbers
  application/vnd.apple.keynote key
  application/vnd.apple.pkpass pkpass
  text/plain txt log
  text/csv csv
  text/tab-separated-values tsv
  text/markdown md
  text/html html htm
  text/css css
  text/calendar ics
  text/vcard vcf
  application/xml xml
  application/json json
  application/geo+json geojson
  application/yaml yaml yml
  application/sql sql
  application/gpx+xml gpx
  application/wasm wasm
  application/vnd.google-earth.kml+xml kml
  application/vnd.google-earth.kmz kmz
  message/rfc822 eml
  application/pkcs7-mime p7m
  application/pkcs7-signature p7s
  application/pgp-signature asc sig
  image/png png
  image/jpeg jpg jpeg
  image/gif gif
  image/webp webp
  image/avif avif
  image/heic heic
  image/heif heif
  image/svg+xml svg
  image/bmp bmp
  image/tiff tif tiff
  image/vnd.microsoft.icon ico
  image/vnd.adobe.photoshop psd
  image/vnd.dwg dwg
  image/vnd.dxf dxf
  model/stl stl
  model/step step stp
  audio/mpeg mp3
  audio/mp4 m4a
  audio/wav wav
  audio/ogg oga ogg opus
  audio/aac aac
  audio/flac flac
  audio/midi mid
  audio/amr amr
  video/mp4 mp4
  video/x-m4v m4v
  video/quicktime mov
  video/webm webm
  video/mpeg mpeg mpg
  video/ogg ogv
  video/x-msvideo avi
  video/x-matroska mkv
  video/x-ms-wmv wmv
  application/zip zip
  application/gzip gz tgz
  application/x-tar tar
  application/x-bzip2 bz2
  application/x-xz xz
  application/zstd zst
  application/x-7z-compressed 7z
  application/vnd.rar rar
  font/woff woff
  font/woff2 woff2
  font/ttf ttf
  font/otf otf
`;

const contentTypes: ReadonlyMap<string, string> = new Map(
  registry
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '))
    .flatMap(([type = fallback, ...extensions]) => extensions.map((extension) => [extension, type] as const)),
);

/** The media type of a file name by its extension. */
export function contentTypeOf(filename: string): string {
  return contentTypes.get(fileExtension(filename)) ?? fallback;
}
