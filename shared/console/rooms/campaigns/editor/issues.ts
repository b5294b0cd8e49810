import type { Issue } from '../../../../contract/errors.ts';
import type { WrittenDraft } from '../../../../contract/schemas/campaign/draft.ts';

/** What the draft's own schema calls a field, as the contract and the form call it. */
const contractNames: readonly (readonly [RegExp, string])[] = [
  [/^variants\[0\]\.blocks/, 'content'],
  [/^variants\[0\]\./, ''],
  [/^variants\[(\d)\]\.blocks/, 'ab_test.variants[$1].content'],
  [/^variants\[/, 'ab_test.variants['],
  [/^test\.share/, 'ab_test.test_share'],
  [/^test\.decideBy/, 'ab_test.decide_by'],
  [/^test\.waitHours/, 'ab_test.wait_hours'],
  [/^segmentId/, 'segment_id'],
];

export const isShared = ({ variants }: Pick<WrittenDraft, 'variants'>): boolean =>
  variants.every(({ blocks }) => JSON.stringify(blocks) === JSON.stringify(variants[0]?.blocks));

/** Each problem by the name of the field that holds it, while the message of this variant is shown. */
export function issuesOfFields(issues: readonly Issue[], shown: number, shared: boolean): Issue[] {
  const named = issues.map(({ path, text }): Issue => {
    const [pattern, name] = contractNames.find(([one]) => one.test(path)) ?? [/^/, ''];
    return { path: path.replace(pattern, name), text };
  });
  const own = `ab_test.variants[${shown}].content`;
  return named.flatMap(({ path, text }): Issue[] => {
    if (shared) return /^ab_test\.variants\[\d\]\.content/.test(path) ? [] : [{ path, text }];
    if (shown === 0) return [{ path, text }];
    if (path.startsWith(own)) return [{ path: path.replace(own, 'content'), text }];
    return [{ path: path.startsWith('content') ? `ab_test.variants[0].${path}` : path, text }];
  });
}
