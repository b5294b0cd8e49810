/**
 * Asks at most once in so long, however many want to know at the same moment. What fails is asked for anew by the next.
 * For what a container may tell a little late: never for who may do what.
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
