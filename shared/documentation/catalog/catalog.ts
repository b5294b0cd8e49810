import { tools } from '../../contract/tools.ts';
import { everyTool, toolsets } from '../../contract/toolsets.ts';
import type { Language } from '../../language/languages.ts';
import { chapterTexts, instructionsIn, type ListedPrompt, promptsIn, referenceTexts } from './guide.ts';
import { type Chapter, referenceIn } from './reference.ts';
import { type ListedTool, listedTool, type ToolCall, toolCall } from './tools.ts';

const referenceUri = 'mailroom://reference';

/** All that the MCP server says in one language. */
export interface Catalog {
  readonly instructions: string;
  /** Every tool. Those of no toolset are the usual ones, which every agent gets. */
  readonly tools: readonly ListedTool[];
  /** The names of their tools. */
  readonly toolsets: Readonly<Record<string, readonly string[]>>;
  readonly calls: Readonly<Record<string, ToolCall>>;
  readonly reference: {
    readonly uri: string;
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly mimeType: string;
    readonly text: string;
    /** Parts of the reference that can be read alone. */
    readonly chapters: {
      readonly uriTemplate: string;
      readonly name: string;
      readonly title: string;
      readonly description: string;
      readonly mimeType: string;
      /** The position of each chapter in the text, the end excluded. */
      readonly ranges: Readonly<Record<string, readonly [start: number, end: number]>>;
    };
  };
  readonly prompts: readonly ListedPrompt[];
}

/**
 * Derives the catalog from the tools and routes of the contract. This takes 100 ms and needs all schemas: a bundle
 * contains the result in place of this file (infra/bundling/documents.ts).
 */
export function catalogIn(language: Language): Catalog {
  const chapters = referenceIn(language);
  const text = chapters.map((chapter) => chapter.text).join('');
  return {
    instructions: instructionsIn(language, referenceUri),
    tools: everyTool.map((tool) => listedTool(tool, language, { isUsual: tools.includes(tool) })),
    toolsets: Object.fromEntries(
      Object.entries(toolsets).map(([name, members]) => [name, members.map((tool) => tool.name)]),
    ),
    calls: Object.fromEntries(everyTool.map((tool) => [tool.name, toolCall(tool)])),
    reference: {
      uri: referenceUri,
      name: 'reference',
      ...referenceTexts(language, text),
      mimeType: 'text/markdown',
      text,
      chapters: {
        uriTemplate: `${referenceUri}/{chapter}`,
        name: 'reference-chapter',
        ...chapterTexts(language, chapters),
        mimeType: 'text/markdown',
        ranges: rangesOf(chapters),
      },
    },
    prompts: promptsIn(language),
  };
}

function rangesOf(chapters: readonly Chapter[]): Record<string, [start: number, end: number]> {
  let start = 0;
  return Object.fromEntries(
    chapters.map(({ name, text }): [string, [number, number]] => {
      const range: [number, number] = [start, start + text.length];
      start += text.length;
      return [name, range];
    }),
  );
}
