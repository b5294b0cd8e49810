import * as fc from 'fast-check';
import type { Block } from '../../../../../shared/domain/campaign/content/block.ts';
import { readContent } from '../../../../../shared/domain/campaign/content/readContent.ts';
import { renderTemplate } from '../../../../../shared/domain/campaign/render/render.ts';
import { peopleOfCall } from '../../../../../shared/domain/campaign/render/size.ts';
import { defaultData, personalData } from '../../../../../shared/domain/campaign/render/templateData.ts';

const render = (blocks: readonly Block[]) =>
  renderTemplate(
    { subject: 'News', preheader: null, blocks: readContent(blocks).blocks },
    { workspaceName: 'Acme', language: 'en' },
  );
const link = `https://mail.example.com/unsubscribe/${'t'.repeat(700)}`;

/** The request that SES gets, for people whose names and fields are as long as they can be. */
function requestBytes(template: ReturnType<typeof render>, people: number, character: string): number {
  const long = (length: number) => character.repeat(length);
  const fields = { city: long(1000), note: long(1000) };
  const person = { email: `${'a'.repeat(240)}@example.com`, firstName: long(100), lastName: long(100), fields };
  const entry = {
    Destination: { ToAddresses: [person.email] },
    ReplacementEmailContent: {
      ReplacementTemplate: { ReplacementTemplateData: JSON.stringify(personalData(template, person, link)) },
    },
    ReplacementHeaders: [{ Name: 'List-Unsubscribe', Value: `<${link}>` }],
    ReplacementTags: ['workspace', 'campaign', 'chunk', 'position'].map((name) => ({
      Name: `mailroom_${name}`,
      Value: 'v'.repeat(40),
    })),
  };
  const { subject, html, text } = template;
  const content = { Subject: subject, Html: html, Text: text };
  const DefaultContent = {
    Template: { TemplateContent: content, TemplateData: JSON.stringify(defaultData(template)) },
  };
  return Buffer.byteLength(JSON.stringify({ DefaultContent, BulkEmailEntries: new Array(people).fill(entry) }));
}

const piece = fc.oneof(
  fc.constantFrom('{{firstName}}', '{{lastName|x}}', '{{fields.city}}', '{{fields.note|there}}', '{{email}}'),
  fc.string({ unit: 'grapheme', maxLength: 200 }).filter((text) => !text.includes('{{')),
);

describe('how many people fit into one call', () => {
  it('stays below 1 MB of JSON, whoever they are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(piece, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 8 }),
        fc.constantFrom('"', '\\', '𝒳', '<', '{', 'é'),
        (paragraphs, character) => {
          const blocks = paragraphs.map((pieces): Block => ({ type: 'paragraph', text: pieces.join(' ') }));
          const template = render(blocks);
          const people = peopleOfCall(template);
          if (people > 0) expect(requestBytes(template, people, character)).toBeLessThan(1_000_000);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is a whole slice for a usual message, fewer for one with much of each person, nobody for one that is too large', () => {
    const paragraph = (text: string): Block[] => [{ type: 'paragraph', text }];
    expect(peopleOfCall(render(paragraph('Hello {{firstName|there}}, here is what is new.')))).toBe(50);
    const personal = peopleOfCall(render(paragraph('{{fields.city}} '.repeat(10))));
    expect(personal).toBeGreaterThan(0);
    expect(personal).toBeLessThan(50);
    expect(peopleOfCall(render(paragraph('x'.repeat(400_000))))).toBeGreaterThan(0);
    expect(peopleOfCall(render(paragraph('é'.repeat(400_000))))).toBe(0);
  });
});
