import { getPeople } from '../../store/person/people.ts';
import { select } from '../audience/select.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { shownSubscriber } from '../subscribers/shown.ts';
import { readRule } from './create.ts';

const shownPeople = 10;

/**
 * Whom a campaign to a rule would reach now: counted exactly, and ten of them. It reads the index of the audience once,
 * 40 read units for a thousand people. Throws `validation_error` for what is no rule.
 */
export async function previewSegment(context: Context, { rule: wanted }: { readonly rule: unknown }) {
  requireOperator(context, 'read');
  const { workspaceId, now } = context;
  const rule = readRule(wanted);
  const sample: string[] = [];
  const counts = select({ workspaceId, rule, to: null }, now).streams.map(async (pages) => {
    let count = 0;
    for await (const { members } of pages) {
      count += members.length;
      sample.push(...members.slice(0, Math.max(0, shownPeople - sample.length)));
    }
    return count;
  });
  const recipients = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  const people = (await getPeople(workspaceId, sample)).flatMap(({ email, subscriber }) =>
    subscriber ? shownSubscriber(email, subscriber) : [],
  );
  return { object: 'segment_preview' as const, recipients, sample: people };
}
