import type { Output } from '../contract/route.ts';
import { type apiMapRoute, referencePath } from '../contract/routes/account.ts';
import { scopeNames, scopes } from '../contract/scopes.ts';
import { inEachLanguage } from '../language/languages.ts';
import { publicUrl } from '../platform/config.ts';
import type { PublicContext } from './context.ts';

/** What `GET /api/v1` shows: entry points, scopes and the addresses of the reference. */
export async function getApiMap({ language }: PublicContext): Promise<Output<typeof apiMapRoute>> {
  const baseUrl = publicUrl();
  return {
    object: 'api',
    name: 'Mailroom',
    version: '1.0.0',
    entry_points: { rest: `${baseUrl}/api/v1`, mcp: `${baseUrl}/api/mcp` },
    scopes: scopeNames.map((name) => ({ name, description: scopes[name][language] })),
    reference: inEachLanguage((tag) => `${baseUrl}${referencePath(tag)}`),
  };
}
