import { publicUrl } from '../../platform/config.ts';

/** The committed OpenAPI document, with this deployment's address as its server. */
export function withServer<Document extends object>(document: Document) {
  return async () => ({ ...document, servers: [{ url: publicUrl() }] });
}
