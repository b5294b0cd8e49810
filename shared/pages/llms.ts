import { catalogIn } from '../documentation/catalog/catalog.ts';
import { languageTags } from '../language/languages.ts';
import { config, hasConfig, publicUrl } from '../platform/config.ts';
import type { PageReply } from './call.ts';

const keptSeconds = 3600;

/**
 * What this deployment offers to programs that read text, by the convention of https://llmstxt.org: in English, with links
 * to everything else.
 */
export async function showLlms(): Promise<PageReply> {
  return {
    status: 200,
    language: 'en',
    document: { type: 'text/plain', text: llmsText() },
    cacheSeconds: keptSeconds,
  };
}

function llmsText(): string {
  const base = publicUrl();
  const { tools, toolsets, reference } = catalogIn('en');
  const usual = tools.length - Object.values(toolsets).flat().length;
  const chapterLinks = Object.keys(reference.chapters.ranges).map(
    (name) => `- [${name}](${base}/reference/en/${name}.md)`,
  );
  return `# Mailroom

> An email service: single emails, subscribers with consent, campaigns and signed webhooks, by a REST API and an MCP server. Mail cannot be recalled once it is sent.

- The REST API is ${base}/api/v1. Every call needs a key in \`Authorization: Bearer …\`, which an operator of the service gives; ask a person for one, and never guess.
- The MCP server is ${base}/api/mcp (Streamable HTTP, the same key). It offers ${usual} tools; \`?toolsets=\` adds those of ${Object.keys(toolsets).join(', ')}, \`?toolsets=all\` all of them, and \`read_only=true\` leaves out those that change something.
- Nobody who unsubscribed, or is on the suppression list, can be written to or taken off it by a call.
- A refused call has a stable \`error.code\`, and \`error.details\` lists everything that is wrong.
- Send each email with an \`Idempotency-Key\` of its own: the same call then never sends twice.

## Reference

- [The whole reference](${base}/reference/en.md): every call with fields, limits, errors and an example, in Markdown
${languageTags.map((tag) => `- [OpenAPI](${base}/api/v1/openapi.${tag}.json): the same as an OpenAPI document (${tag})`).join('\n')}
- [Pages](${base}/reference/en): the same for people

## Chapters

${chapterLinks.join('\n')}
${hasConfig('CONSOLE_URL') ? `\n## For people\n\n- [Console](${config('CONSOLE_URL')}): where an operator makes keys and watches what is sent\n` : ''}`;
}
