import type { Block } from '../../../../shared/domain/content/block.ts';
import { placeInDraft } from '../../../../shared/domain/content/place.ts';

const text: Block = { type: 'paragraph', text: '' };
const image: Block = { type: 'image', src: '', alt: '' };
const two: Block = { type: 'columns', columns: [[text, image, text], [text]] };
const three: Block = { type: 'columns', columns: [[text], [text], [text]] };
const blocks: readonly Block[] = [text, image, text, two, { type: 'list', items: ['a', ''] }];
const draft = { variants: [{ blocks }, { blocks: [two, three] }] };

describe('a place in a draft', () => {
  it.each([
    ['subject', 'Subject', 'Objet'],
    ['content', 'Message', 'Message'],
    ['content[2].text', 'Second text block', 'Deuxième bloc de texte'],
    ['content[1].src', 'First image, URL', 'Première image, URL'],
    ['content[4].items[1]', 'First list, item 2', 'Première liste, élément 2'],
    ['content[3].columns[0][2].text', 'Second text block, left column', 'Deuxième bloc de texte, colonne de gauche'],
    ['content[3].columns[1][0].text', 'First text block, right column', 'Premier bloc de texte, colonne de droite'],
    ['content[3].columns[1]', 'First columns block, right column', 'Premier bloc de colonnes, colonne de droite'],
    ['content[3].columns', 'First columns block', 'Premier bloc de colonnes'],
    ['ab_test.variants[1].subject', 'Variant B, Subject', 'Variante B, Objet'],
    [
      'ab_test.variants[1].content[1].columns[1][0].text',
      'Variant B, First text block, middle column of the second columns block',
      'Variante B, Premier bloc de texte, colonne du milieu, deuxième bloc de colonnes',
    ],
  ])('%s is %s', (path, en, fr) => {
    expect(placeInDraft(path, draft)).toEqual({ en, fr });
  });

  it('counts on beyond ten', () => {
    const many = { variants: [{ blocks: Array.from({ length: 112 }, () => text) }] };
    const places = [10, 11, 12, 20, 21, 110].map((index) => placeInDraft(`content[${index}].text`, many)?.en);
    const counts = ['11th', '12th', '13th', '21st', '22nd', '111th'];
    expect(places).toEqual(counts.map((count) => `${count} text block`));
    expect(placeInDraft('content[10].text', many)?.fr).toBe('11e bloc de texte');
  });

  it('is null for what is no part of a campaign, and the message for a block that is gone', () => {
    expect(placeInDraft('somewhere', draft)).toBeNull();
    expect(placeInDraft('content[99].text', draft)).toEqual({ en: 'Message', fr: 'Message' });
  });
});
