import * as z from 'zod';
import { describe } from '../../describe.ts';
import { optional } from '../../optional.ts';

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
  en: 'Where it leads: https, http, mailto or tel.',
  fr: 'Où il mène : https, http, mailto ou tel.',
});
const kind = <T extends string>(name: T) =>
  describe(z.literal(name), { en: `Always \`${name}\`.`, fr: `Toujours \`${name}\`.` });

const simpleBlock = z.discriminatedUnion('type', [
  z.object({
    type: kind('heading'),
    level: describe(z.union([z.literal(1), z.literal(2), z.literal(3)]), {
      en: 'Level, 1 to 3.',
      fr: 'Niveau, de 1 à 3.',
    }),
    text: texted,
  }),
  z.object({ type: kind('paragraph'), text: texted }),
  z.object({
    type: kind('image'),
    src: describe(address, { en: 'Address of the image, https or http.', fr: 'Adresse de l’image, https ou http.' }),
    alt: describe(z.string().max(1000), {
      en: 'What it shows, for those who do not see it; empty for an ornament.',
      fr: 'Ce qu’elle montre, pour qui ne la voit pas ; vide pour un ornement.',
    }),
    href: optional(href),
    width: describe(optional(z.int().min(1).max(1200)), {
      en: 'Pixels, as shown; never wider than the message.',
      fr: 'Pixels, à l’affichage ; jamais plus large que le message.',
    }),
  }),
  z.object({
    type: kind('button'),
    label: describe(label, {
      en: 'What it says; inline markup as in text.',
      fr: 'Son libellé ; balisage comme dans un texte.',
    }),
    href,
  }),
  z.object({ type: kind('divider') }),
  z.object({
    type: kind('list'),
    items: describe(z.array(inline).min(1).max(200), { en: 'Items, 1 to 200.', fr: 'Éléments, de 1 à 200.' }),
    ordered: describe(optional(z.boolean()), { en: 'True for numbers.', fr: 'Vrai pour des numéros.' }),
  }),
]);

const columns = z.object({
  type: kind('columns'),
  columns: describe(z.array(z.array(simpleBlock).min(1).max(maxBlocks)).min(2).max(3), {
    en: 'Two or three columns of blocks, each without columns.',
    fr: 'Deux ou trois colonnes de blocs, chacune sans colonnes.',
  }),
});

/** The editor's blocks. What their text says (merge fields, links) is read by the domain and told with its place. */
export const contentBlocks = z
  .array(z.discriminatedUnion('type', [...simpleBlock.options, columns]))
  .min(1)
  .max(maxBlocks);

export const contentText = z.string().min(1).max(maxContentCharacters);
