import type { Language } from '../../language/languages.ts';
import { type Text, text } from '../../language/text.ts';
import type { Block, WrittenVariant } from './block.ts';

/**
 * The name that people see for a field of `POST /campaigns`: `content[1].text` is "First text block". Null for other
 * fields.
 */
export function placeInDraft(
  path: string,
  { variants }: { readonly variants: readonly Pick<WrittenVariant, 'blocks'>[] },
): Text | null {
  const [, variant = '0', inner = path] = /^ab_test\.variants\[(\d)\]\.(.*)$/.exec(path) ?? [];
  const index = Number(variant);
  const place = placeInVariant(inner, variants[index]?.blocks ?? []);
  if (place === null || inner === path) return place;
  const letter = 'ABCD'.charAt(index);
  return joined({ en: `Variant ${letter}`, fr: `Variante ${letter}` }, place);
}

function placeInVariant(path: string, blocks: readonly Block[]): Text | null {
  const [, outer, column, inner, field = ''] =
    /^content\[(\d+)\](?:\.columns\[(\d+)\](?:\[(\d+)\])?)?(?:\.(.+))?$/.exec(path) ?? [];
  if (outer === undefined) return fields[path] ?? null;
  const block = blocks[Number(outer)];
  if (!block) return fields.content ?? null;
  if (block.type !== 'columns' || column === undefined) return placeOfBlock(blocks, Number(outer), field);
  const side = sideOf(Number(column), block.columns.length);
  const isOnly = blocks.filter(({ type }) => type === 'columns').length === 1;
  const columns = ordinal(blocks, Number(outer));
  if (inner === undefined) return joined(columns, side);
  const own = placeOfBlock(block.columns[Number(column)] ?? [], Number(inner), field);
  const where = isOnly
    ? side
    : text({ en: `${side.en} of the ${lower(columns.en)}`, fr: `${side.fr}, ${lower(columns.fr)}` });
  return joined(own, where);
}

function placeOfBlock(blocks: readonly Block[], index: number, field: string): Text {
  const block = ordinal(blocks, index);
  const [, item] = /^(?:items|links)\[(\d+)\]/.exec(field) ?? [];
  if (item !== undefined) return joined(block, { en: `item ${Number(item) + 1}`, fr: `élément ${Number(item) + 1}` });
  const part = parts[field];
  return part ? joined(block, part) : block;
}

/** `First text block`: counted among the sibling blocks of its type. */
function ordinal(blocks: readonly Block[], index: number): Text {
  const type = blocks[index]?.type ?? 'paragraph';
  const place = blocks.slice(0, index + 1).filter((block) => block.type === type).length;
  const { noun, isFeminine } = types[type];
  const first = isFeminine ? 'Première' : 'Premier';
  return {
    en: `${ordinals.en[place - 1] ?? `${place}${suffixOf(place)}`} ${noun.en}`,
    fr: `${place === 1 ? first : (ordinals.fr[place - 1] ?? `${place}e`)} ${noun.fr}`,
  };
}

/** For numbers from 11 on: 11th to 13th, then 21st, 22nd, 23rd. */
const suffixOf = (place: number): string =>
  (Math.floor(place / 10) % 10 === 1 ? '' : ['', 'st', 'nd', 'rd'][place % 10]) || 'th';

function sideOf(column: number, columns: number): Text {
  if (column === 0) return { en: 'left column', fr: 'colonne de gauche' };
  if (column === columns - 1) return { en: 'right column', fr: 'colonne de droite' };
  return { en: 'middle column', fr: 'colonne du milieu' };
}

const joined = (one: Text, other: Text): Text => ({ en: `${one.en}, ${other.en}`, fr: `${one.fr}, ${other.fr}` });
const lower = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

const ordinals: Readonly<Record<Language, readonly string[]>> = {
  en: ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth', 'Seventh', 'Eighth', 'Ninth', 'Tenth'],
  fr: ['', 'Deuxième', 'Troisième', 'Quatrième', 'Cinquième', 'Sixième', 'Septième', 'Huitième', 'Neuvième', 'Dixième'],
};

const types: Readonly<Record<Block['type'], { readonly noun: Text; readonly isFeminine: boolean }>> = {
  heading: { noun: { en: 'heading', fr: 'titre' }, isFeminine: false },
  paragraph: { noun: { en: 'text block', fr: 'bloc de texte' }, isFeminine: false },
  image: { noun: { en: 'image', fr: 'image' }, isFeminine: true },
  button: { noun: { en: 'button', fr: 'bouton' }, isFeminine: false },
  divider: { noun: { en: 'divider', fr: 'séparateur' }, isFeminine: false },
  list: { noun: { en: 'list', fr: 'liste' }, isFeminine: true },
  spacer: { noun: { en: 'space', fr: 'espace' }, isFeminine: false },
  social: { noun: { en: 'block of links', fr: 'bloc de liens' }, isFeminine: false },
  quote: { noun: { en: 'quote', fr: 'citation' }, isFeminine: true },
  code: { noun: { en: 'code block', fr: 'bloc de code' }, isFeminine: false },
  html: { noun: { en: 'HTML block', fr: 'bloc HTML' }, isFeminine: false },
  menu: { noun: { en: 'menu', fr: 'menu' }, isFeminine: false },
  video: { noun: { en: 'video', fr: 'vidéo' }, isFeminine: true },
  product: { noun: { en: 'product', fr: 'produit' }, isFeminine: false },
  columns: { noun: { en: 'columns block', fr: 'bloc de colonnes' }, isFeminine: false },
};

/** For blocks with more fields than a text. */
const parts: Readonly<Record<string, Text>> = {
  label: { en: 'label', fr: 'libellé' },
  href: { en: 'link', fr: 'lien' },
  src: { en: 'URL', fr: 'URL' },
  alt: { en: 'description', fr: 'description' },
  width: { en: 'width', fr: 'largeur' },
  height: { en: 'height', fr: 'hauteur' },
  by: { en: 'author', fr: 'auteur' },
  title: { en: 'title', fr: 'titre' },
  color: { en: 'colour', fr: 'couleur' },
  background: { en: 'background', fr: 'arrière-plan' },
};

const fields: Readonly<Record<string, Text>> = {
  name: { en: 'Name', fr: 'Nom' },
  subject: { en: 'Subject', fr: 'Objet' },
  preheader: { en: 'Preview text', fr: 'Texte d’aperçu' },
  from: { en: 'Sender', fr: 'Expéditeur' },
  content: { en: 'Message', fr: 'Message' },
  text: { en: 'Message', fr: 'Message' },
  html: { en: 'Message as HTML', fr: 'Message en HTML' },
  plain_text: { en: 'Text part of the message', fr: 'Partie texte du message' },
  segment_id: { en: 'Segment', fr: 'Segment' },
  tag: { en: 'Topic', fr: 'Type d’e-mail' },
  reply_to: { en: 'Reply to', fr: 'Répondre à' },
  'ab_test.variants': { en: 'A/B test', fr: 'Test A/B' },
  'ab_test.test_share': { en: 'Share of the A/B test', fr: 'Part du test A/B' },
  'ab_test.decide_by': { en: 'Decision of the A/B test', fr: 'Décision du test A/B' },
  'ab_test.wait_hours': { en: 'Hours of the A/B test', fr: 'Heures du test A/B' },
};
