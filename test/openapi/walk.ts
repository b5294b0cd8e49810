/** A node of a document with its path, as in `paths./api/v1.get`. */
export interface Place {
  readonly path: string;
  readonly node: Record<string, unknown>;
}

/** Every object of a document. Examples are data, not part of the document's structure. */
export function* walk(node: unknown, path = ''): Generator<Place> {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) yield { path, node: node as Record<string, unknown> };
  for (const [key, child] of Object.entries(node)) {
    if (key === 'example' || key === 'examples') continue;
    yield* walk(child, path === '' ? key : `${path}.${key}`);
  }
}

/** Every text for people, by its path. */
export function textsOf(document: unknown): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { path, node } of walk(document)) {
    for (const name of ['description', 'summary']) {
      // The schema of a field called `description` is not a text.
      if (typeof node[name] === 'string') texts.set(`${path}.${name}`, node[name]);
    }
  }
  return texts;
}
