import type { Issue } from '../../../../../contract/errors.ts';
import type { WrittenDraft } from '../../../../../contract/schemas/campaignDraft.ts';
import {
  alignments,
  type Block,
  bodyIn,
  headingLevels,
  type SimpleBlock,
  type WrittenBody,
} from '../../../../../domain/content/block.ts';

/**
 * The draft with the values of the editor's form. Field names are the paths of `POST /campaigns`. Nothing is validated
 * here; `campaignDraft` does that.
 */
export function draftOfForm(form: URLSearchParams, before: WrittenDraft): WrittenDraft {
  const { variants: known } = before;
  const [first] = known;
  if (!first) throw new Error('A campaign has no variant.');
  const from = form.get('from') ?? first.from;
  const shown = shownVariant(form);
  const body = bodyOfForm(form, known[shown] ?? first);
  const isShared = form.has('shared');
  const variants = variantNumbers(form).map((number, index) => {
    const own = known[number] ?? first;
    const named = (field: string) => form.get(number === 0 ? field : `ab_test.variants[${number}].${field}`) ?? '';
    return {
      name: form.get(`ab_test.variants[${number}].name`)?.trim() || null,
      subject: named('subject').trim(),
      preheader: named('preheader').trim() || null,
      from: own.from === first.from || index === 0 ? from : own.from,
      ...bodyIn(isShared || number === shown ? body : own),
    };
  });
  return {
    name: form.get('name')?.trim() ?? before.name,
    segmentId: form.get('segment_id') || null,
    tag: form.has('tag') ? form.get('tag') || null : before.tag,
    replyTo: form.has('reply_to') ? linesIn(form.get('reply_to') ?? '') : before.replyTo,
    track: { opens: choice(form.get('track.opens')), clicks: choice(form.get('track.clicks')) },
    variants,
    test: variants.length > 1 ? testOf(form) : null,
  };
}

/** The form has the blocks of a message, but no HTML: that stays as it is. */
function bodyOfForm(form: URLSearchParams, known: WrittenBody): WrittenBody {
  if (known.html !== undefined) return known;
  const blocks = readBlocks(form);
  return JSON.stringify(blocks) === JSON.stringify(known.blocks) ? known : { blocks };
}

/** The lines of a field, null for none. */
function linesIn(text: string): string[] | null {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.length > 0 ? lines : null;
}

const choice = (value: string | null): boolean | undefined =>
  value === 'yes' ? true : value === 'no' ? false : undefined;

/** The form has shares in per cent. */
const testOf = (form: URLSearchParams): NonNullable<WrittenDraft['test']> => ({
  share: Number(form.get('ab_test.test_share') || 20) / 100,
  decideBy: form.get('ab_test.decide_by') === 'clicks' ? 'clicks' : 'opens',
  waitHours: Number(form.get('ab_test.wait_hours') || 4),
});

/** The variant whose message the form contains. */
export const shownVariant = (form: URLSearchParams): number =>
  Number(/^[0-3]$/.exec(form.get('variant') ?? '')?.[0] ?? 0);

/** The first variant is the campaign itself; each other one exists if the form has a subject for it. */
function variantNumbers(form: URLSearchParams): number[] {
  return [0, 1, 2, 3].filter((number) => number === 0 || form.has(`ab_test.variants[${number}].subject`));
}

const blockName = /^content\[(\d{1,3})\](?:\.columns\[([0-2])\]\[(\d{1,3})\])?\.(\w{1,20})$/;

type Fields = Map<string, string>;

/** The blocks sorted by their numbers, in whatever order the fields arrive. */
export function readBlocks(form: URLSearchParams): Block[] {
  const top = new Map<number, Fields>();
  const nested = new Map<string, Map<number, Fields>>();
  for (const [name, value] of form) {
    const [, block, column, place, field] = blockName.exec(name) ?? [];
    if (block === undefined || field === undefined) continue;
    const index = Number(block);
    const list = column === undefined ? top : grown(nested, `${index}.${column}`, () => new Map<number, Fields>());
    const own = grown(list, column === undefined ? index : Number(place), () => new Map<string, string>());
    own.set(field, value.replaceAll('\r\n', '\n'));
  }
  return inOrder(top).flatMap(([index, fields]): Block[] => {
    if (fields.get('type') !== 'columns') return simpleBlock(fields);
    const count = fields.get('count') === '3' ? 3 : 2;
    const columns = Array.from({ length: count }, (_, column) =>
      inOrder(nested.get(`${index}.${column}`) ?? new Map<number, Fields>()).flatMap(([, inner]) => simpleBlock(inner)),
    );
    return [{ type: 'columns', columns }];
  });
}

function grown<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

const inOrder = (fields: Map<number, Fields>): [number, Fields][] => [...fields].sort(([a], [b]) => a - b);

function simpleBlock(fields: Fields): SimpleBlock[] {
  const block = blockOf(fields);
  return block ? [block] : [];
}

function blockOf(fields: Fields): SimpleBlock | null {
  const text = (name: string) => fields.get(name) ?? '';
  const line = (name: string) => text(name).trim();
  const given = <Name extends string>(name: Name): { readonly [Key in Name]?: string } =>
    (line(name) === '' ? {} : { [name]: line(name) }) as { readonly [Key in Name]?: string };
  const side = alignments.find((one) => one === line('align'));
  const align = side && { align: side };
  const tint = { ...align, ...given('color'), ...given('background') };
  const picture = { src: line('src'), alt: line('alt') };
  switch (fields.get('type')) {
    case 'heading': {
      const level = headingLevels.find((one) => String(one) === text('level')) ?? 2;
      return { type: 'heading', level, text: text('text'), ...tint };
    }
    case 'paragraph':
      return { type: 'paragraph', text: text('text'), ...tint };
    case 'image': {
      const width = line('width');
      return { type: 'image', ...picture, ...given('href'), ...(width !== '' && { width: Number(width) }), ...align };
    }
    case 'button':
      return { type: 'button', label: line('label'), href: line('href'), ...align, ...given('background') };
    case 'divider':
      return { type: 'divider' };
    case 'list': {
      const isOrdered = fields.get('ordered') === 'yes';
      return { type: 'list', items: itemsOf(text('items')), ...(isOrdered && { ordered: true }), ...tint };
    }
    case 'spacer':
      return { type: 'spacer', height: Number(line('height') || Number.NaN) };
    case 'quote':
      return { type: 'quote', text: text('text'), ...given('by'), ...tint };
    case 'product': {
      const own = { title: line('title'), ...given('text'), label: line('label'), href: line('href') };
      return { type: 'product', ...picture, ...own };
    }
    case 'video':
      return { type: 'video', ...picture, href: line('href') };
    case 'social':
      return { type: 'social', links: linesIn(text('links')) ?? [], ...align };
    case 'menu':
      return { type: 'menu', items: (linesIn(text('items')) ?? []).map(menuItemOf), ...align };
    case 'code':
      return { type: 'code', text: text('text') };
    case 'html':
      return { type: 'html', html: text('html') };
    default:
      return null;
  }
}

/** `Shop | https://example.com/shop`. */
function menuItemOf(line: string): { readonly label: string; readonly href: string } {
  const bar = line.lastIndexOf('|');
  return bar === -1
    ? { label: '', href: line }
    : { label: line.slice(0, bar).trim(), href: line.slice(bar + 1).trim() };
}

export const lineOfMenuItem = ({ label, href }: { readonly label: string; readonly href: string }): string =>
  label === '' ? href : `${label} | ${href}`;

/** One item per line; a line that starts with a space continues the item above. */
export const linesOfItems = (items: readonly string[]): string =>
  items.map((item) => item.replaceAll('\n', '\n  ')).join('\n');

const itemsOf = (lines: string): string[] =>
  lines
    .split(/\n(?!\s)/)
    .map((item) => item.replace(/\n[ \t]+/g, '\n').trim())
    .filter((item) => item !== '');

/** The draft schema's names of fields, and those of the contract and the form. */
const contractNames: readonly (readonly [RegExp, string])[] = [
  [/^variants\[0\]\.blocks/, 'content'],
  [/^variants\[0\]\.plainText/, 'plain_text'],
  [/^variants\[0\]\./, ''],
  [/^variants\[(\d)\]\.blocks/, 'ab_test.variants[$1].content'],
  [/^variants\[/, 'ab_test.variants['],
  [/^test\.share/, 'ab_test.test_share'],
  [/^test\.decideBy/, 'ab_test.decide_by'],
  [/^test\.waitHours/, 'ab_test.wait_hours'],
  [/^segmentId/, 'segment_id'],
  [/^replyTo/, 'reply_to'],
];

export const isShared = ({ variants }: Pick<WrittenDraft, 'variants'>): boolean =>
  new Set(variants.map((variant) => JSON.stringify(bodyIn(variant)))).size < 2;

/** The issues under the names of form fields, while the message of this variant is shown. */
export function issuesOfFields(issues: readonly Issue[], shown: number, shared: boolean): Issue[] {
  const named = issues.map(({ path, text }): Issue => {
    const [pattern, name] = contractNames.find(([one]) => one.test(path)) ?? [/^/, ''];
    return { path: path.replace(pattern, name), text };
  });
  const own = `ab_test.variants[${shown}].`;
  return named.flatMap(({ path, text }): Issue[] => {
    const match = /^(ab_test\.variants\[\d\]\.)?(?:content|text|html|plain_text)\b/.exec(path);
    if (!match) return [{ path, text }];
    const [, variant = ''] = match;
    if (shared) return variant === '' ? [{ path, text }] : [];
    if (shown === 0) return [{ path, text }];
    if (variant === own) return [{ path: path.slice(own.length), text }];
    return [{ path: variant === '' ? `ab_test.variants[0].${path}` : path, text }];
  });
}
