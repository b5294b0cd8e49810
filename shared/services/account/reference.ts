import type { Call, Reply } from '../../http/call.ts';

/** The committed OpenAPI document, with this deployment's address as its server. */
export function withServer(document: object): (call: Pick<Call, 'baseUrl'>) => Promise<Reply> {
  return async ({ baseUrl }) => ({ status: 200, body: { ...document, servers: [{ url: baseUrl }] } });
}
