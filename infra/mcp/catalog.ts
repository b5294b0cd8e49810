import type { Catalog } from '../../shared/contract/catalog.ts';
import { tools } from '../../shared/contract/tools.ts';
import type { Language } from '../../shared/language/languages.ts';
import {
  chapterDescriptionIn,
  chapterTitleIn,
  instructionsIn,
  promptsIn,
  referenceDescriptionIn,
  referenceTitleIn,
} from './guide.ts';
import { type Chapter, referenceIn } from './reference.ts';
import { listedTool, toolCall } from './tool.ts';

const referenceUri = 'mailroom://reference';

/** What the MCP server says in one language: a loop over the contract's tools and routes. */
export function catalogIn(language: Language): Catalog {
  const chapters = referenceIn(language);
  const text = chapters.map((chapter) => chapter.text).join('');
  return {
    instructions: instructionsIn(language, referenceUri),
    tools: tools.map((tool) => listedTool(tool, language)),
    calls: Object.fromEntries(tools.map((tool) => [tool.name, toolCall(tool)])),
    reference: {
      uri: referenceUri,
      name: 'reference',
      title: referenceTitleIn(language),
      description: referenceDescriptionIn(language, text),
      mimeType: 'text/markdown',
      text,
      chapters: {
        uriTemplate: `${referenceUri}/{chapter}`,
        name: 'reference-chapter',
        title: chapterTitleIn(language),
        description: chapterDescriptionIn(language, chapters),
        mimeType: 'text/markdown',
        places: placesOf(chapters),
      },
    },
    prompts: promptsIn(language),
  };
}

function placesOf(chapters: readonly Chapter[]): Record<string, [from: number, to: number]> {
  let from = 0;
  return Object.fromEntries(
    chapters.map(({ name, text }): [string, [number, number]] => {
      const place: [number, number] = [from, from + text.length];
      from += text.length;
      return [name, place];
    }),
  );
}
