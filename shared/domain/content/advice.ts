import { domainOf } from '../address.ts';
import { characterCount } from '../encoding.ts';
import type { MailBrand } from '../workspace/mailBrand.ts';
import type { Block, WrittenVariant } from './block.ts';
import { defaultData, type MessageTemplate, substitute } from './messageTemplate.ts';
import { unreadMarkdown } from './textBlocks.ts';
import { readHtml } from './writtenHtml.ts';

export const adviceChecks = [
  'size',
  'alternatives',
  'foreign_links',
  'insecure',
  'fallbacks',
  'subject_length',
  'preheader',
  'unsubscribe',
  'postal_address',
  'markdown',
] as const;
type AdviceCheck = (typeof adviceChecks)[number];

/** The result of one check of a message. */
export interface Advice {
  readonly check: AdviceCheck;
  readonly isFine: boolean;
  /** Kilobytes, images or characters. */
  readonly count: number;
  /** Hosts, addresses or merge fields that it is about. */
  readonly names: readonly string[];
  /** The path in `POST /campaigns` of the first field concerned; null for the message as a whole. */
  readonly path: string | null;
}

/** Gmail clips messages above 102 kB of HTML. */
const maxBytes = 102_000;
/** Most mail clients show this much of a subject on a wide screen; on a phone, half of it. */
const maxSubject = 60;

interface CheckedMessage {
  readonly written: Pick<WrittenVariant, 'preheader' | 'blocks' | 'text' | 'html'>;
  readonly rendered: MessageTemplate;
  /** The sender's address. */
  readonly sender: string;
  readonly brand?: MailBrand | undefined;
}

/** Checks a message for common mistakes. Nothing is fetched. */
export function adviceOf({ written, rendered, sender, brand }: CheckedMessage): Advice[] {
  const data = defaultData(rendered);
  const all = written.html === undefined ? imagesOfBlocks(written.blocks) : imagesOfHtml(written.html);
  const images = all.filter(({ hasAlternative }) => !hasAlternative);
  const plain = all.filter(({ address }) => address.startsWith('http:'));
  const open = rendered.links.filter((link) => link.startsWith('http:'));
  const ofAuthor = rendered.links.filter((link) => !brand?.links?.includes(link));
  const foreign = new Set(ofAuthor.map(hostOf).filter((host) => !isOwn(host, domainOf(sender))));

  const bare = rendered.variables.flatMap(({ source }) =>
    source.kind === 'merge' && source.field.fallback === '' && source.field.source.kind !== 'email'
      ? [nameOf(source.field.source)]
      : [],
  );
  const bytes = Buffer.byteLength(substitute(rendered.html, data));
  const subject = characterCount(substitute(rendered.subject, data));
  const advice = (
    check: AdviceCheck,
    isFine: boolean,
    more: Partial<Pick<Advice, 'count' | 'names' | 'path'>> = {},
  ): Advice => ({ check, isFine, count: 0, names: [], path: null, ...more });
  return [
    advice('size', bytes <= maxBytes, { count: Math.ceil(bytes / 1000) }),
    advice('alternatives', images.length === 0, {
      count: images.length,
      path: images[0]?.path.alternative ?? null,
    }),
    advice('foreign_links', foreign.size === 0, { names: [...foreign] }),
    advice('insecure', plain.length + open.length === 0, {
      names: [...new Set([...plain.map(({ address }) => address), ...open])],
      path: plain[0]?.path.address ?? null,
    }),
    advice('fallbacks', bare.length === 0, { names: [...new Set(bare)] }),
    // A missing subject is a problem, and no matter of its length.
    ...(subject > 0 ? [advice('subject_length', subject <= maxSubject, { count: subject, path: 'subject' })] : []),
    advice('preheader', Boolean(written.preheader), { path: 'preheader' }),
    advice(
      'unsubscribe',
      ['html', 'text'].every((part) =>
        rendered.variables.some((one) => one.part === part && one.source.kind === 'unsubscribe'),
      ),
    ),
    ...(hasOwnFooter(written) ? [] : [advice('postal_address', brand?.address !== undefined)]),
    ...markdownAdvice(written.text).map((names) => advice('markdown', names.length === 0, { names, path: 'text' })),
  ];
}

/** A message that was not written as text has no such check. */
const markdownAdvice = (text: string | undefined): string[][] => (text === undefined ? [] : [unreadMarkdown(text)]);

/** Whether a message is HTML with a link to unsubscribe: it gets no footer, and its author writes the address. */
export const hasOwnFooter = ({ html }: Pick<WrittenVariant, 'html'>): boolean =>
  html !== undefined && readHtml(html).hasUnsubscribeLink;

interface ShownImage {
  readonly address: string;
  readonly hasAlternative: boolean;
  readonly path: { readonly address: string; readonly alternative: string };
}

const imagesOfBlocks = (blocks: readonly Block[]): ShownImage[] =>
  blocksWithPaths(blocks).flatMap(({ block, path }) => {
    if (block.type === 'html') return imagesOfHtml(block.html, `${path}.html`);
    return 'src' in block
      ? [
          {
            address: block.src,
            hasAlternative: block.alt !== '',
            path: { address: `${path}.src`, alternative: `${path}.alt` },
          },
        ]
      : [];
  });

const imagesOfHtml = (html: string, path = 'html'): ShownImage[] =>
  readHtml(html).images.map(({ source, hasAlternative }) => ({
    address: source,
    hasAlternative,
    path: { address: path, alternative: path },
  }));

interface BlockAtPath {
  readonly block: Block;
  readonly path: string;
}

function blocksWithPaths(blocks: readonly Block[], base = 'content'): BlockAtPath[] {
  return blocks.flatMap((block, index) => {
    const path = `${base}[${index}]`;
    const inner = block.type === 'columns' ? block.columns : [];
    return [
      { block, path },
      ...inner.flatMap((column, position) => blocksWithPaths(column, `${path}.columns[${position}]`)),
    ];
  });
}

const hostOf = (link: string): string => URL.parse(link)?.hostname ?? link;

/** True for the sender's domain, its subdomains and its parent domains. */
const isOwn = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`) || (host.includes('.') && domain.endsWith(`.${host}`));

const nameOf = (source: { readonly kind: string; readonly name?: string }): string =>
  source.name === undefined ? source.kind : `fields.${source.name}`;
