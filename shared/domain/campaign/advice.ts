import { domainOf } from '../address/address.ts';
import { characterCount } from '../encoding/characterCount.ts';
import type { Block } from './content/block.ts';
import type { Template } from './render/template.ts';
import { defaultData, substitute } from './render/templateData.ts';

type AdviceCheck =
  | 'size'
  | 'alternatives'
  | 'foreign_links'
  | 'insecure'
  | 'fallbacks'
  | 'subject_length'
  | 'preheader'
  | 'unsubscribe';

/** What was looked at in a message, and what was found. */
export interface Advice {
  readonly check: AdviceCheck;
  readonly isFine: boolean;
  /** What is counted: kilobytes, images, characters. */
  readonly count: number;
  /** What it is about: hosts, addresses, merge fields. */
  readonly names: readonly string[];
  /** The first field that it is about, by its path in `POST /campaigns`; null for the message as a whole. */
  readonly path: string | null;
}

/** Gmail cuts a message off beyond 102 kB of HTML. */
const mostBytes = 102_000;
/** What most mail clients show of a subject on a wide screen; a phone shows half of it. */
const mostSubject = 60;

interface Looked {
  readonly written: { readonly preheader: string | null; readonly blocks: readonly Block[] };
  readonly rendered: Template;
  /** The address that it comes from. */
  readonly sender: string;
}

/** What a careful colleague would ask before a message goes out. Nothing is fetched: addresses are read as text. */
export function adviceOf({ written, rendered, sender }: Looked): Advice[] {
  const data = defaultData(rendered);
  const placed = placedBlocks(written.blocks);
  const images = placed.filter(({ block }) => block.type === 'image' && block.alt === '');
  const plain = placed.flatMap(({ block, path }) =>
    block.type === 'image' && block.src.startsWith('http:') ? [{ address: block.src, path: `${path}.src` }] : [],
  );
  const open = rendered.links.filter((link) => link.startsWith('http:'));
  const foreign = new Set(rendered.links.map(hostOf).filter((host) => !isOwn(host, domainOf(sender))));
  const bare = rendered.variables.flatMap(({ source }) =>
    source.kind === 'merge' && source.field.fallback === '' && source.field.source.kind !== 'email'
      ? [nameOf(source.field.source)]
      : [],
  );
  const bytes = Buffer.byteLength(substitute(rendered.html, data));
  const subject = characterCount(substitute(rendered.subject, data));
  const found = (
    check: AdviceCheck,
    isFine: boolean,
    more: Partial<Pick<Advice, 'count' | 'names' | 'path'>> = {},
  ): Advice => ({ check, isFine, count: 0, names: [], path: null, ...more });
  return [
    found('size', bytes <= mostBytes, { count: Math.ceil(bytes / 1000) }),
    found('alternatives', images.length === 0, {
      count: images.length,
      path: images[0] ? `${images[0].path}.alt` : null,
    }),
    found('foreign_links', foreign.size === 0, { names: [...foreign] }),
    found('insecure', plain.length + open.length === 0, {
      names: [...new Set([...plain.map(({ address }) => address), ...open])],
      path: plain[0]?.path ?? null,
    }),
    found('fallbacks', bare.length === 0, { names: [...new Set(bare)] }),
    found('subject_length', subject <= mostSubject, { count: subject, path: 'subject' }),
    found('preheader', Boolean(written.preheader), { path: 'preheader' }),
    found(
      'unsubscribe',
      ['html', 'text'].every((part) =>
        rendered.variables.some((one) => one.part === part && one.source.kind === 'unsubscribe'),
      ),
    ),
  ];
}

interface Placed {
  readonly block: Block;
  readonly path: string;
}

function placedBlocks(blocks: readonly Block[], base = 'content'): Placed[] {
  return blocks.flatMap((block, index) => {
    const path = `${base}[${index}]`;
    const inner = block.type === 'columns' ? block.columns : [];
    return [{ block, path }, ...inner.flatMap((column, place) => placedBlocks(column, `${path}.columns[${place}]`))];
  });
}

const hostOf = (link: string): string => URL.parse(link)?.hostname ?? link;

/** The sender's own domain, one below it or one that it lies below: `shop.example.com` and `example.com` are one house. */
const isOwn = (host: string, domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`) || (host.includes('.') && domain.endsWith(`.${host}`));

const nameOf = (source: { readonly kind: string; readonly name?: string }): string =>
  source.name === undefined ? source.kind : `fields.${source.name}`;
