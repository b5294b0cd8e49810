import * as z from 'zod';
import { alignments, type Block, headingLevels } from '../../../domain/content/block.ts';
import { constant, describe, givenFields, givenText, named, optional, strictFields } from '../fields.ts';

export const maxContentCharacters = 400_000;
const maxBlocks = 200;

const inline = z.string().min(1).max(maxContentCharacters);
const label = z.string().min(1).max(300);
const address = z.string().min(1).max(4000);

const texted = describe(inline, {
  en: 'With `**bold**`, `*italic*`, `[label](https://…)`, `{{firstName|there}}`.',
  fr: 'Avec `**gras**`, `*italique*`, `[libellé](https://…)`, `{{firstName|là}}`.',
});
const href = describe(address, {
  en: 'Link: https, http, mailto or tel.',
  fr: 'Lien : https, http, mailto ou tel.',
});
const align = describe(optional(z.enum(alignments)), {
  en: 'Alignment; by default that of the brand.',
  fr: 'Alignement ; par défaut celui de la marque.',
});
const hexColor = /^#[0-9a-fA-F]{6}$/;
const colorText = z.string().regex(hexColor);
const color = describe(optional(colorText), {
  en: 'Colour of the text, `#rrggbb`; it must be readable.',
  fr: 'Couleur du texte, `#rrggbb` ; elle doit être lisible.',
});
const background = describe(optional(colorText), {
  en: 'Colour behind it, `#rrggbb`.',
  fr: 'Couleur derrière, `#rrggbb`.',
});
const tint = { align, color, background };
const picture = {
  src: describe(address, { en: 'Address of the image, https or http.', fr: 'Adresse de l’image, https ou http.' }),
  alt: describe(z.string().max(1000), {
    en: 'Alternative text; empty if the image is decorative.',
    fr: 'Texte de remplacement ; vide si l’image est décorative.',
  }),
};
const labelled = describe(label, {
  en: 'With the same markup.',
  fr: 'Avec le même balisage.',
});

const simpleBlock = named(
  'SimpleBlock',
  z.discriminatedUnion('type', [
    strictFields({
      type: constant('heading'),
      level: describe(z.literal(headingLevels), { en: 'Level, 1 to 6.', fr: 'Niveau, de 1 à 6.' }),
      text: texted,
      ...tint,
    }),
    strictFields({ type: constant('paragraph'), text: texted, ...tint }),
    strictFields({
      type: constant('image'),
      ...picture,
      href: optional(href),
      width: describe(optional(z.int().min(1).max(1200)), {
        en: 'In pixels, at most as wide as the message.',
        fr: 'En pixels, au plus la largeur du message.',
      }),
      align,
    }),
    strictFields({ type: constant('button'), label: labelled, href, align, background }),
    strictFields({ type: constant('divider') }),
    strictFields({
      type: constant('list'),
      items: describe(z.array(inline).min(1).max(200), { en: 'Items, 1 to 200.', fr: 'Éléments, de 1 à 200.' }),
      ordered: describe(optional(z.boolean()), {
        en: 'True for a numbered list.',
        fr: 'Vrai pour une liste numérotée.',
      }),
      ...tint,
    }),
    strictFields({
      type: constant('spacer'),
      height: describe(z.int().min(4).max(200), { en: 'Height in pixels.', fr: 'Hauteur en pixels.' }),
    }),
    strictFields({
      type: constant('social'),
      links: describe(z.array(address).min(1).max(12), {
        en: 'Addresses of your pages.',
        fr: 'Adresses de vos pages.',
      }),
      align,
    }),
    strictFields({
      type: constant('quote'),
      text: texted,
      by: describe(optional(label), { en: 'Who said it.', fr: 'Qui l’a dit.' }),
      ...tint,
    }),
    strictFields({
      type: constant('code'),
      text: describe(inline, { en: 'Shown as it is.', fr: 'Affiché tel quel.' }),
    }),
    strictFields({
      type: constant('html'),
      html: describe(inline, {
        en: 'HTML, complete in itself: no scripts, no style sheets, each element closed.',
        fr: 'HTML complet : sans script ni feuille de style, chaque élément fermé.',
      }),
    }),
    strictFields({
      type: constant('menu'),
      items: describe(
        z
          .array(strictFields({ label: labelled, href }))
          .min(1)
          .max(8),
        {
          en: 'Links side by side.',
          fr: 'Liens côte à côte.',
        },
      ),
      align,
    }),
    strictFields({ type: constant('video'), ...picture, href }),
    strictFields({
      type: constant('product'),
      ...picture,
      title: labelled,
      text: optional(texted),
      label: labelled,
      href,
    }),
  ]),
);

const columns = strictFields({
  type: constant('columns'),
  columns: describe(z.array(z.array(simpleBlock).min(1).max(maxBlocks)).min(2).max(3), {
    en: 'Two or three columns.',
    fr: 'Deux ou trois colonnes.',
  }),
});

/** The blocks of a campaign. Merge fields and links inside their texts are checked by `readContent`. */
export const contentBlocks = z
  .array(named('Block', z.discriminatedUnion('type', [simpleBlock, columns])))
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
  const { type, text, label, src, href, items, columns, links, by, html, title, color, background } =
    givenFields(given);
  const line = (value: unknown) => givenText(value) ?? '';
  const link = (value: unknown) => givenText(value) || readableLink;
  const list = (value: unknown) => (Array.isArray(value) ? value.slice(0, maxRead) : []);
  const colorOf = (value: unknown) => (hexColor.test(line(value)) ? line(value) : undefined);
  const tint = { color: colorOf(color), background: colorOf(background) };
  switch (type) {
    case 'heading':
      return { type, level: 1, text: line(text), ...tint };
    case 'paragraph':
      return { type, text: line(text), ...tint };
    case 'image':
      return { type, src: link(src), alt: '', href: link(href) };
    case 'button':
      return { type, label: line(label), href: link(href) };
    case 'list':
      return { type, items: list(items).map(line), ...tint };
    case 'social':
      return { type, links: list(links).map(link) };
    case 'quote':
      return { type, text: line(text), by: line(by), ...tint };
    case 'code':
      return { type, text: line(text) };
    case 'html':
      // An empty one is reported by its schema.
      return givenText(html) ? { type, html: line(html) } : { type: 'divider' };
    case 'menu':
      return {
        type,
        items: list(items).map((item) => ({
          label: line(givenFields(item).label),
          href: link(givenFields(item).href),
        })),
      };
    case 'video':
      return { type, src: link(src), alt: '', href: link(href) };
    case 'product': {
      const own = { title: line(title), text: line(text), label: line(label), href: link(href) };
      return { type, src: link(src), alt: '', ...own };
    }
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
