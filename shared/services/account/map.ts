import type { apiMapRoute } from '../../contract/routes/account.ts';
import { scopeNames, scopes } from '../../contract/scopes.ts';
import type { Call, Reply } from '../../http/call.ts';

/** Where everything is: entry points, scopes, reference. */
export async function getApiMap({ baseUrl, language }: Call<typeof apiMapRoute>): Promise<Reply> {
  return {
    status: 200,
    body: {
      object: 'api',
      name: 'Mailroom',
      version: '1.0.0',
      entry_points: { rest: `${baseUrl}/api/v1`, mcp: `${baseUrl}/api/mcp` },
      scopes: scopeNames.map((name) => ({ name, description: scopes[name][language] })),
      reference: { en: `${baseUrl}/api/v1/openapi.en.json`, fr: `${baseUrl}/api/v1/openapi.fr.json` },
    },
  };
}
