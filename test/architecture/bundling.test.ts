import { readSources } from './importGraph.ts';

/** esbuild keeps a call at the top of a file, which may have effects, unless the call itself is annotated. */
it('verbs of operators are annotated as pure, so that a bundle holds only those that it uses', () => {
  const unannotated = [...readSources()].flatMap(([path, source]) =>
    [...source.matchAll(/^export const (\w+) =\s+operatorVerb\(/gm)].map(([, verb]) => `${path}: ${verb}`),
  );
  expect(unannotated).toEqual([]);
});
