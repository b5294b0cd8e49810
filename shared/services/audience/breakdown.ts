import { countReasons, type Exclusion } from '../../domain/segment/audience.ts';
import { select, type Target } from './select.ts';

/** What becomes of each address of a list; `requested` is always `duplicates`, `retained` and `excluded` together. */
export interface AudienceBreakdown {
  readonly requested: number;
  readonly duplicates: number;
  readonly retained: number;
  readonly excluded: readonly Exclusion[];
}

export async function breakDown(
  target: Target & { readonly to: readonly string[] },
  now: Date,
): Promise<AudienceBreakdown> {
  const { requested, duplicates, streams } = select(target, now);
  const excluded: Exclusion[] = [];
  let retained = 0;
  for (const pages of streams) {
    for await (const page of pages) {
      retained += page.members.length;
      excluded.push(...page.excluded);
    }
  }
  return { requested, duplicates, retained, excluded };
}

/** A breakdown as the API shows it. */
export function shownBreakdown({ requested, duplicates, retained, excluded }: AudienceBreakdown) {
  return {
    requested,
    duplicates,
    retained,
    excluded: excluded.length,
    reasons: countReasons(excluded),
    excluded_addresses: excluded,
  };
}
