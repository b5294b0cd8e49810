import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Catalog } from '../../documentation/catalog/catalog.ts';
import { TransportError } from '../../http/response.ts';
import { type Text, textsOf } from '../../language/text.ts';

const texts = textsOf({
  parameters: {
    en: 'The address of the MCP server takes `toolsets` and `read_only`, each once, and nothing else.',
    fr: 'L’adresse du serveur MCP prend `toolsets` et `read_only`, chacun une fois, et rien d’autre.',
  },
  readOnly: {
    en: '`read_only` must be `true` or `false`.',
    fr: '`read_only` doit valoir `true` ou `false`.',
  },
  toolset: {
    en: 'There is no toolset "{name}". Known are {known}, joined by commas, or `all`.',
    fr: 'Il n’y a pas d’ensemble d’outils « {name} ». Existent {known}, séparés par des virgules, ou `all`.',
  },
});

/**
 * The names of the tools that the query of an address selects: the usual ones, those of its `toolsets`, and of these with
 * `read_only=true` only those that change nothing. Anything else in a query is refused, since an agent with a misspelt
 * `read_only` would get every tool.
 */
export function selectedTools(
  { tools, toolsets }: Pick<Catalog, 'tools' | 'toolsets'>,
  { multiValueQueryStringParameters: query }: Pick<APIGatewayProxyEvent, 'multiValueQueryStringParameters'>,
): ReadonlySet<string> {
  const { toolsets: asked, read_only: readOnly, ...unknown } = query ?? {};
  if (Object.keys(unknown).length > 0 || [asked, readOnly].some((values) => values && values.length > 1))
    throw new TransportError(400, texts.parameters);
  const [isReadOnly = 'false'] = readOnly ?? [];
  if (!['true', 'false'].includes(isReadOnly)) throw new TransportError(400, texts.readOnly);
  const names = (asked?.[0] ?? '').split(',').filter((name) => name !== '');
  const wrong = names.find((name) => name !== 'all' && !Object.hasOwn(toolsets, name));
  if (wrong !== undefined) throw new TransportError(400, unknownToolset(wrong, Object.keys(toolsets)));
  const further = Object.entries(toolsets).flatMap(([name, members]) =>
    names.includes('all') || names.includes(name) ? [] : members,
  );
  const left = new Set(further);
  return new Set(
    tools
      .filter(({ name, annotations }) => !left.has(name) && (isReadOnly === 'false' || annotations.readOnlyHint))
      .map(({ name }) => name),
  );
}

const shownLength = 40;

function unknownToolset(name: string, known: readonly string[]): Text {
  const list = known.map((one) => `\`${one}\``).join(', ');
  const filled = (text: string) => text.replace('{name}', () => name.slice(0, shownLength)).replace('{known}', list);
  return { en: filled(texts.toolset.en), fr: filled(texts.toolset.fr) };
}
