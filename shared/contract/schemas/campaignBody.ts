import type * as z from 'zod';
import { type Block, bodyIn, type WrittenBody } from '../../domain/content/block.ts';
import { readMergeFields } from '../../domain/content/messageTemplate.ts';
import { type ContentProblem, maxProblemsOfText, readContent, withPosition } from '../../domain/content/readContent.ts';
import { blocksOfText } from '../../domain/content/textBlocks.ts';
import { readHtml } from '../../domain/content/writtenHtml.ts';
import { customIssue, type Text, textsOf } from '../../language/text.ts';
import { givenFields, givenText, isGiven } from './fields.ts';
import { maxContentCharacters, readableBlocks } from './internal/campaignContent.ts';

const texts = textsOf({
  onlyWithHtml: {
    en: 'is the text part of "html": give it with that',
    fr: 'est la partie texte de « html » : donnez-le avec lui',
  },
  empty: { en: 'has no text to send', fr: 'n’a aucun texte à envoyer' },
  tooLong: {
    en: `must have at most ${maxContentCharacters} characters in all`,
    fr: `doit compter au plus ${maxContentCharacters} caractères en tout`,
  },
});

export const { onlyWithHtml } = texts;

const severalBodies = (names: readonly string[]): Text => ({
  en: `${names.map((name) => `"${name}"`).join(' and ')} are ${names.length === 2 ? 'both' : 'all'} given: use only one of them for the body`,
  fr: `${names.map((name) => `« ${name} »`).join(' et ')} sont donnés ensemble : n’en utilisez qu’un pour le corps`,
});

interface GivenBody {
  readonly text?: string | undefined;
  readonly content?: readonly Block[] | undefined;
  readonly html?: string | undefined;
  readonly plain_text?: string | null | undefined;
}

/** The fields of a request that hold a body. A request has one of them. */
const bodyFields = ['text', 'content', 'html'] as const;

/** The field that gives the body of a request; null for none. */
export const bodyFieldOf = (given: GivenBody): (typeof bodyFields)[number] | null =>
  bodyFields.find((name) => given[name] !== undefined) ?? null;

/** Whether a request has a body of its own, whatever is wrong with it. */
export const hasBody = (given: Record<string, unknown>): boolean => bodyFields.some((name) => isGiven(given[name]));

/** The body of a request. */
export function bodyOf({ text, content, html, plain_text }: GivenBody): WrittenBody {
  if (html !== undefined) return bodyIn({ blocks: [], html, plainText: plain_text ?? null });
  return content === undefined ? bodyIn({ blocks: blocksOfText(text ?? ''), text }) : bodyIn({ blocks: content });
}

/** The number of characters in all strings of a value. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return [...value].length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, part) => sum + charactersOf(part), 0);
}

/** The problems in the content of a message as given, with their paths. */
function problemsOf(given: unknown): ContentProblem[] {
  const { text, content, html, plain_text, ...lines } = givenFields(given);
  const problems: ContentProblem[] = [];
  for (const name of ['subject', 'preheader']) {
    for (const problem of readMergeFields(givenText(lines[name]) ?? '').problems) {
      problems.push({ path: [name], text: problem.text });
    }
  }
  const bodies = Object.entries({ text, content, html }).flatMap(([name, body]) => (isGiven(body) ? [name] : []));
  if (bodies.length > 1) {
    for (const name of bodies) problems.push({ path: [name], text: severalBodies(bodies) });
  }
  const blocks = readableBlocks(content);
  if (charactersOf(blocks) > maxContentCharacters) problems.push({ path: ['content'], text: texts.tooLong });
  for (const problem of readContent(blocks).problems) {
    problems.push({ path: ['content', ...problem.path], text: problem.text });
  }
  const ofText = blocksOfText(givenText(text) ?? '');
  if (text !== '' && givenText(text) !== undefined && ofText.every(({ type }) => type === 'divider')) {
    problems.push({ path: ['text'], text: texts.empty });
  }
  // The author of a text knows nothing of blocks, so the problems name the line of the text.
  for (const problem of readContent(ofText).problems) problems.push({ path: ['text'], text: problem.text });
  return [...problems, ...problemsOfHtml(givenText(html) ?? '', givenText(plain_text) ?? '')];
}

function problemsOfHtml(html: string, plainText: string): ContentProblem[] {
  const ofHtml = html === '' || html.length > 2 * maxContentCharacters ? [] : readHtml(html).problems;
  const ofText = readMergeFields(plainText, 'message').problems.slice(0, maxProblemsOfText);
  return [
    ...ofHtml.map(({ at, text }) => ({ path: ['html'], text: withPosition(text, html, at) })),
    ...ofText.map(({ at, text }) => ({ path: ['plain_text'], text: withPosition(text, plainText, at) })),
  ];
}

/** Adds the problem of a text part without HTML. A change of a draft may give it alone. */
export function addLoneText(given: unknown, context: z.RefinementCtx): void {
  const { html, plain_text } = givenFields(given);
  if (isGiven(plain_text) && !isGiven(html)) context.addIssue(customIssue(texts.onlyWithHtml, ['plain_text']));
}

/** Adds the problems in the content of a message as given. */
export function addProblems(given: unknown, context: z.RefinementCtx): void {
  for (const { path, text } of problemsOf(given)) context.addIssue(customIssue(text, [...path]));
}
