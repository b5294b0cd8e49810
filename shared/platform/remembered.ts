/**
 * Calls `ask` at most once within this time, for all callers together. A failure is not cached. For values that may be
 * a little old, never for permissions.
 */
export function remembered<Answer>(milliseconds: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let known: { readonly until: number; readonly answer: Promise<Answer> } | undefined;
  return () => {
    if (known && Date.now() < known.until) return known.answer;
    const fresh = { until: Date.now() + milliseconds, answer: ask() };
    known = fresh;
    fresh.answer.catch(() => {
      if (known === fresh) known = undefined;
    });
    return fresh.answer;
  };
}
