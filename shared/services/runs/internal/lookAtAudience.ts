import type { Trigger } from '../../../domain/automation/automation.ts';
import { hasDate } from '../../../domain/automation/watching.ts';
import { matches, type RuleSubjects, ruleSubjects } from '../../../domain/segment/segment.ts';
import { nextTurn } from '../../../domain/segment/segmentTime.ts';
import { now as currentTime } from '../../../platform/clock.ts';
import { inParallel } from '../../../platform/parallel.ts';
import type { AutomationHead } from '../../../store/automation/automations.ts';
import { type AudiencePass, getWatching, isPassOver, notePass } from '../../../store/automation/listeners.ts';
import { type AudienceMember, membersAfter } from '../../../store/person/audience.ts';
import type { RunCounters } from '../runCounters.ts';
import { look, type TriggerWatch, watchesOf } from './watchPeople.ts';

/** So few that an automation that is disabled meanwhile starts no run more than a second later. */
const membersOfPage = 100;
const looksAtOnce = 25;

/**
 * The scan of the audience for an automation that a segment or a date starts. Of each page it evaluates only the people who
 * are in the segment, may come into it by time alone, or have a date. It goes on from the page that was stored last. False
 * when time was over first, or another worker scans too.
 */
export async function lookAtAudience(
  { workspaceId, id }: AutomationHead,
  counters: RunCounters,
  isOutOfTime: () => boolean,
): Promise<boolean> {
  const listener = await getWatching(workspaceId, id);
  const [watch] = listener ? await watchesOf(workspaceId, [listener]) : [];
  if (!watch) return true;
  let before = watch.listener;
  let pass: AudiencePass = before.pass?.of === watch.name ? before.pass : { of: watch.name, shard: 0, after: '' };
  while (!isPassOver(pass)) {
    if (isOutOfTime()) return false;
    const place = { shard: pass.shard, after: pass.after, limit: membersOfPage };
    const { members, next } = await membersAfter(workspaceId, place, subjectsOf(watch));
    const asked = members.filter((member) => isAsked(watch, member));
    await inParallel(looksAtOnce, asked, ({ email }) =>
      look({ workspaceId, email }, { ...watch, listener: before }, { kind: 'pass' }, counters),
    );
    pass = next === null ? { ...pass, shard: pass.shard + 1, after: '' } : { ...pass, after: next };
    if (!(await notePass(workspaceId, before, pass))) return false;
    before = { ...before, pass };
  }
  return true;
}

const dateTrigger = (trigger: Trigger) => ('source' in trigger && trigger.source === 'date' ? trigger : null);

function subjectsOf({ rule, listener }: TriggerWatch): RuleSubjects {
  const date = dateTrigger(listener.trigger);
  return date ? ruleSubjects({ field: date.field, operator: 'exists' }) : ruleSubjects(rule);
}

function isAsked({ rule, listener, since }: TriggerWatch, { person }: AudienceMember): boolean {
  const date = dateTrigger(listener.trigger);
  if (date) return hasDate(date, person.fields, since);
  const now = currentTime();
  return rule !== null && (matches(rule, person, now) || nextTurn(rule, person, now) !== null);
}
