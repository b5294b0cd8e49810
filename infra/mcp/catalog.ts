import type { Catalog } from '../../shared/contract/catalog.ts';
import { tools } from '../../shared/contract/tools.ts';
import type { Language } from '../../shared/language/languages.ts';
import { instructionsIn, promptsIn, referenceDescriptionIn, referenceTitleIn } from './guide.ts';
import { referenceIn } from './reference.ts';
import { listedTool, toolCall } from './tool.ts';

const referenceUri = 'mailroom://reference';

/** What the MCP server says in one language: a loop over the contract's tools and routes. */
export function catalogIn(language: Language): Catalog {
  const text = referenceIn(language);
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
    },
    prompts: promptsIn(language),
  };
}
