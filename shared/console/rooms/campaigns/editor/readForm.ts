import type { WrittenDraft } from '../../../../contract/schemas/campaign/draft.ts';
import type { Block } from '../../../../domain/campaign/content/block.ts';

type SimpleBlock = Exclude<Block, { type: 'columns' }>;

/**
 * What the editor's form says, over what stands: fields are named by the paths of `POST /campaigns`. Nothing is judged
 * here: `campaignDraft` says whether it may be kept.
 */
export function draftOfForm(form: URLSearchParams, before: WrittenDraft): WrittenDraft {
  const { variants: known } = before;
  const [first] = known;
  if (!first) throw new Error('A campaign has no variant.');
  const from = form.get('from') ?? first.from;
  const blocks = readBlocks(form);
  const shown = shownVariant(form);
  const isShared = form.has('shared');
  const variants = variantNumbers(form).map((number, index) => {
    const own = known[number] ?? first;
    const named = (field: string) => form.get(number === 0 ? field : `ab_test.variants[${number}].${field}`) ?? '';
    return {
      name: form.get(`ab_test.variants[${number}].name`)?.trim() || null,
      subject: named('subject').trim(),
      preheader: named('preheader').trim() || null,
      from: own.from === first.from || index === 0 ? from : own.from,
      blocks: isShared || number === shown ? blocks : own.blocks,
    };
  });
  return {
    name: form.get('name')?.trim() ?? before.name,
    segmentId: form.get('segment_id') || null,
    tag: form.has('tag') ? form.get('tag') || null : before.tag,
    track: { opens: choice(form.get('track.opens')), clicks: choice(form.get('track.clicks')) },
    variants,
    test: variants.length > 1 ? testOf(form) : null,
  };
}

const choice = (value: string | null): boolean | undefined =>
  value === 'yes' ? true : value === 'no' ? false : undefined;

/** The shares in per cent, as people write them. */
const testOf = (form: URLSearchParams): NonNullable<WrittenDraft['test']> => ({
  share: Number(form.get('ab_test.test_share') || 20) / 100,
  decideBy: form.get('ab_test.decide_by') === 'clicks' ? 'clicks' : 'opens',
  waitHours: Number(form.get('ab_test.wait_hours') || 4),
});

/** Which variant's message the form holds. */
export const shownVariant = (form: URLSearchParams): number =>
  Number(/^[0-3]$/.exec(form.get('variant') ?? '')?.[0] ?? 0);

/** The first is the campaign itself; the others are there as long as the form has a subject for them. */
function variantNumbers(form: URLSearchParams): number[] {
  return [0, 1, 2, 3].filter((number) => number === 0 || form.has(`ab_test.variants[${number}].subject`));
}

const blockName =
  /^content\[(\d{1,3})\](?:\.columns\[([0-2])\]\[(\d{1,3})\])?\.(type|level|text|src|alt|href|width|label|items|ordered|count)$/;

type Fields = Map<string, string>;

/** The blocks in the order of their numbers, whatever the order of the fields. */
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
  const text = (name: string) => fields.get(name) ?? '';
  switch (fields.get('type')) {
    case 'heading': {
      const level = ([1, 2, 3] as const).find((one) => String(one) === text('level')) ?? 2;
      return [{ type: 'heading', level, text: text('text') }];
    }
    case 'paragraph':
      return [{ type: 'paragraph', text: text('text') }];
    case 'image': {
      const [href, width] = [text('href').trim(), text('width').trim()];
      return [
        {
          type: 'image',
          src: text('src').trim(),
          alt: text('alt').trim(),
          ...(href !== '' && { href }),
          ...(width !== '' && { width: Number(width) }),
        },
      ];
    }
    case 'button':
      return [{ type: 'button', label: text('label').trim(), href: text('href').trim() }];
    case 'divider':
      return [{ type: 'divider' }];
    case 'list':
      return [
        { type: 'list', items: itemsOf(text('items')), ...(fields.get('ordered') === 'yes' && { ordered: true }) },
      ];
    default:
      return [];
  }
}

/** One item a line; a line that begins with a space goes on with the item before it. */
export const linesOfItems = (items: readonly string[]): string =>
  items.map((item) => item.replaceAll('\n', '\n  ')).join('\n');

const itemsOf = (lines: string): string[] =>
  lines
    .split(/\n(?!\s)/)
    .map((item) => item.replace(/\n[ \t]+/g, '\n').trim())
    .filter((item) => item !== '');
