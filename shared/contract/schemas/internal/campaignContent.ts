import * as z from 'zod';
import type { Block } from '../../../domain/content/block.ts';
import { constant, describe, givenFields, givenText, named, optional, strictFields } from '../fields.ts';

export const maxContentCharacters = 400_000;
const maxBlocks = 200;

const inline = z.string().min(1).max(maxContentCharacters);
const label = z.string().min(1).max(300);
const address = z.string().min(1).max(4000);

const texted = describe(inline, {
  en: 'Text with `**bold**`, `*italic*`, `[label](https://…)` and merge fields such as `{{firstName|there}}`.',
  fr: 'Texte avec `**gras**`, `*italique*`, `[libellé](https://…)` et champs de fusion comme `{{firstName|là}}`.',
});
const href = describe(address, {
  en: 'Target of the link: https, http, mailto or tel.',
  fr: 'Cible du lien : https, http, mailto ou tel.',
});
const simpleBlock = named(
  'SimpleBlock',
  z.discriminatedUnion('type', [
    strictFields({
      type: constant('heading'),
      level: describe(z.union([z.literal(1), z.literal(2), z.literal(3)]), {
        en: 'Level, 1 to 3.',
        fr: 'Niveau, de 1 à 3.',
      }),
      text: texted,
    }),
    strictFields({ type: constant('paragraph'), text: texted }),
    strictFields({
      type: constant('image'),
      src: describe(address, { en: 'Address of the image, https or http.', fr: 'Adresse de l’image, https ou http.' }),
      alt: describe(z.string().max(1000), {
        en: 'Text for people who do not see the image; empty if it is decorative.',
        fr: 'Texte pour les personnes qui ne voient pas l’image ; vide si elle est décorative.',
      }),
      href: optional(href),
      width: describe(optional(z.int().min(1).max(1200)), {
        en: 'Displayed width in pixels, limited by the width of the message.',
        fr: 'Largeur d’affichage en pixels, limitée par celle du message.',
      }),
    }),
    strictFields({
      type: constant('button'),
      label: describe(label, {
        en: 'Label of the button, with the same markup as text.',
        fr: 'Libellé du bouton, avec le même balisage qu’un texte.',
      }),
      href,
    }),
    strictFields({ type: constant('divider') }),
    strictFields({
      type: constant('list'),
      items: describe(z.array(inline).min(1).max(200), { en: 'Items, 1 to 200.', fr: 'Éléments, de 1 à 200.' }),
      ordered: describe(optional(z.boolean()), {
        en: 'True for a numbered list.',
        fr: 'Vrai pour une liste numérotée.',
      }),
    }),
  ]),
);

const columns = strictFields({
  type: constant('columns'),
  columns: describe(z.array(z.array(simpleBlock).min(1).max(maxBlocks)).min(2).max(3), {
    en: 'Two or three columns of blocks. Columns cannot contain columns.',
    fr: 'Deux ou trois colonnes de blocs. Une colonne ne peut pas contenir de colonnes.',
  }),
});

/** The blocks of a campaign. Merge fields and links inside their texts are checked by `readContent`. */
export const contentBlocks = z
  .array(named('Block', z.discriminatedUnion('type', [...simpleBlock.options, columns])))
  .min(1)
  .max(maxBlocks);

/** More blocks than allowed, to limit the work. */
const maxRead = 1000;

/**
 * The readable blocks: values of a wrong type, which the schema reports, are replaced by harmless ones. So links and
 * merge fields are checked even if another part of the content is wrong.
 */
export const readableBlocks = (given: unknown): Block[] =>
  Array.isArray(given) ? given.slice(0, maxRead).map((block) => readableBlock(block, true)) : [];

function readableBlock(given: unknown, mayBeColumns: boolean): Block {
  const { type, text, label, src, href, items, columns } = givenFields(given);
  const line = (value: unknown) => givenText(value) ?? '';
  const link = (value: unknown) => givenText(value) || readableLink;
  switch (type) {
    case 'heading':
      return { type, level: 1, text: line(text) };
    case 'paragraph':
      return { type, text: line(text) };
    case 'image':
      return { type, src: link(src), alt: '', href: link(href) };
    case 'button':
      return { type, label: line(label), href: link(href) };
    case 'list':
      return { type, items: Array.isArray(items) ? items.slice(0, maxRead).map(line) : [] };
    case 'columns': {
      const lists = mayBeColumns && Array.isArray(columns) ? columns.slice(0, maxRead) : [];
      const inner = lists.map((column) =>
        Array.isArray(column) ? column.slice(0, maxRead).map((block) => readableBlock(block, false)) : [],
      );
      return { type, columns: inner as (Block & { type: 'divider' })[][] };
    }
    default:
      return { type: 'divider' };
  }
}

const readableLink = 'https://example.com/';

/** A body as text or as HTML. */
export const contentText = z.string().min(1).max(maxContentCharacters);

/** Blocks as stored. */
export const shownBlocks = z.array(
  named(
    'StoredBlock',
    z.looseObject({ type: describe(z.string(), { en: 'Type of block.', fr: 'Type de bloc.' }, ['paragraph']) }),
  ),
);
