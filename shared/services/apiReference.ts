import { sampleOrigin } from '../contract/sampleOrigin.ts';
import type { Language } from '../language/languages.ts';
import { publicUrl } from '../platform/config.ts';

/**
 * The OpenAPI document in one language, with this deployment's address as its server. In its own file, because a bundle
 * that imports it contains the documents.
 */
export async function getReference(language: Language) {
  const { default: document } = await import(`../../openapi/openapi.${language}.json`, { with: { type: 'json' } });
  return { ...document, servers: [{ url: publicUrl() }], paths: withOwnAddress(document.paths) };
}

interface Sampled {
  readonly 'x-codeSamples': readonly { readonly source: string }[];
}

/** The operations with code samples that call this deployment. */
function withOwnAddress(paths: Readonly<Record<string, object>>): Record<string, object> {
  const ownSamples = (operation: Sampled) =>
    operation['x-codeSamples'].map((one) => ({ ...one, source: one.source.replaceAll(sampleOrigin, publicUrl()) }));
  const own = Object.entries(paths).map(([path, methods]) => {
    const operations = (Object.entries(methods) as [string, Sampled][]).map(([method, operation]) => [
      method,
      { ...operation, 'x-codeSamples': ownSamples(operation) },
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return Object.fromEntries(own);
}
