import * as fc from 'fast-check';
import { callSize, peopleOfCall, runnersFor } from '../../../../shared/domain/campaign/pace.ts';
import type { Block } from '../../../../shared/domain/content/block.ts';
import { defaultData, personalData } from '../../../../shared/domain/content/messageTemplate.ts';
import { readContent } from '../../../../shared/domain/content/readContent.ts';
import { renderTemplate } from '../../../../shared/domain/content/render.ts';
import { campaignRate, leftOfDay, recovered, slowed } from '../../../../shared/domain/sending/quota.ts';

describe('the pace of campaigns', () => {
  it.each([
    [1, 0.5],
    [14, 12.6],
    [100, 90],
    [500, 450],
  ])('at %d a second of the account, leaves single emails their share', (perSecond, rate) => {
    expect(campaignRate(perSecond)).toBeCloseTo(rate);
    expect(campaignRate(perSecond)).toBeLessThan(perSecond);
  });

  it.each([
    [1_000_000, null, 8, 2],
    [1_000_000, 90, 8, 2],
    [1_000_000, 201, 8, 3],
    [1_000_000, 4500, 8, 8],
    [1_000_000, 4500, 16, 16],
    [1_000_000, 4500, 64, 45],
    [7500, 4500, 16, 15],
    [7501, 4500, 16, 16],
    [1, 4500, 16, 1],
  ])('for %d people at %d a second, with at most %d, has %d runners', (people, rate, most, runners) => {
    expect(runnersFor(people, rate, most)).toBe(runners);
  });

  it('has calls of at least one recipient, and of at most half a second of the account or one slice', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 5000, noNaN: true }), (rate) => {
        const size = callSize(rate, 50);
        expect(Number.isInteger(size) && size >= 1 && size <= 50).toBe(true);
        // Campaigns use 90 % of the account's rate, or less.
        if (size > 1) expect(size).toBeLessThanOrEqual((rate / 0.9) * 0.51);
      }),
    );
  });

  it.each([
    [100, 50, 50],
    [90, 50, 50],
    [80, 50, 25],
    [80, 25, 25],
    [12.6, 50, 7],
    [1000, 7, 7],
  ])('at %d a second, divides %d recipients evenly into calls of %d', (rate, waiting, size) => {
    expect(callSize(rate, waiting)).toBe(size);
  });

  it('uses 90 % of the daily limit, never a negative number; null is no limit', () => {
    expect(leftOfDay({ perSecond: 1, perDay: 200, sentInDay: 100 })).toBe(80);
    expect(leftOfDay({ perSecond: 1, perDay: 200, sentInDay: 199 })).toBe(0);
    expect(leftOfDay({ perSecond: 1, perDay: null, sentInDay: 1e9 })).toBe(Number.POSITIVE_INFINITY);
  });

  it('never stops completely, and returns to the full rate within ten quiet steps', () => {
    let factor = 1;
    for (let throttled = 0; throttled < 100; throttled += 1) factor = slowed(factor);
    expect(factor).toBe(1 / 64);
    for (let quiet = 0; quiet < 10; quiet += 1) factor = recovered(factor);
    expect(factor).toBe(1);
  });
});

const render = (blocks: readonly Block[]) =>
  renderTemplate(
    { subject: 'News', preheader: null, blocks: readContent(blocks).blocks },
    { workspaceName: 'Acme', language: 'en' },
  );
const link = `https://mail.example.com/unsubscribe/${'t'.repeat(700)}`;

/** The request to SES, for people with the longest names and fields. */
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
  it('stays below 1 MB of JSON for the longest values', () => {
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

  it('is a whole slice for a usual message, fewer with many merge fields, none for a message that is too large', () => {
    const paragraph = (text: string): Block[] => [{ type: 'paragraph', text }];
    expect(peopleOfCall(render(paragraph('Hello {{firstName|there}}, here is what is new.')))).toBe(50);
    const personal = peopleOfCall(render(paragraph('{{fields.city}} '.repeat(10))));
    expect(personal).toBeGreaterThan(0);
    expect(personal).toBeLessThan(50);
    expect(peopleOfCall(render(paragraph('x'.repeat(400_000))))).toBeGreaterThan(0);
    expect(peopleOfCall(render(paragraph('é'.repeat(400_000))))).toBe(0);
  });
});
