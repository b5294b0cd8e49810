import type { Language } from '../language/languages.ts';
import { publicUrl } from '../platform/config.ts';

/**
 * The OpenAPI document in one language, with this deployment's address as its server. In its own file, because a bundle
 * that imports it contains the documents.
 */
export async function getReference(language: Language) {
  const { default: document } = await import(`../../openapi/openapi.${language}.json`, { with: { type: 'json' } });
  return { ...document, servers: [{ url: publicUrl() }] };
}
