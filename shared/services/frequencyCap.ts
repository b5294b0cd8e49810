import { ValidationError } from '../contract/errors.ts';
import { capBounds, type FrequencyCap } from '../domain/sending/frequencyCap.ts';
import type { Text } from '../language/text.ts';
import { changeFrequencyCap } from '../store/workspace/workspaces.ts';
import { wakeRunsOfWorkspace } from './automations/wakeAutomations.ts';
import type { Context } from './context.ts';
import { existingWorkspace } from './existingWorkspace.ts';
import { operatorVerb, requireOperator } from './operatorVerb.ts';

const capJson = (cap: FrequencyCap | null) => ({
  object: 'frequency_cap' as const,
  messages: cap?.messages ?? null,
  days: cap?.days ?? null,
});

/** How many messages of automations and campaigns a person gets in how many days; null where any number may come. */
export async function showFrequencyCap(context: Context) {
  requireOperator(context, 'read');
  return capJson((await existingWorkspace(context.workspaceId)).frequencyCap ?? null);
}

/** Sets the cap, with immediate effect. Only messages that are sent while there is a cap are counted. */
export const setFrequencyCap = /* @__PURE__ */ operatorVerb(
  { action: 'cap.set', needs: 'change', subject: ({ messages, days }) => `--messages ${messages} --days ${days}` },
  async (context: Context, cap: FrequencyCap) => {
    const issues = (['messages', 'days'] as const).flatMap((path) => problemOf(path, cap[path]));
    if (issues.length > 0) throw new ValidationError(issues);
    return change(context, { messages: cap.messages, days: cap.days });
  },
);

/** Removes the cap: what waited for it goes on. */
export const removeFrequencyCap = /* @__PURE__ */ operatorVerb(
  { action: 'cap.remove', needs: 'change' },
  (context: Context) => change(context, null),
);

function problemOf(path: keyof FrequencyCap, value: number) {
  const most = capBounds[path];
  const isRight = Number.isInteger(value) && value >= 1 && value <= most;
  const wrong: Text = {
    en: `must be a whole number from 1 to ${most}`,
    fr: `doit être un nombre entier de 1 à ${most}`,
  };
  return isRight ? [] : [{ path, text: wrong }];
}

async function change({ workspaceId, now }: Context, cap: FrequencyCap | null) {
  const before = (await existingWorkspace(workspaceId, 'strong')).frequencyCap;
  await changeFrequencyCap(workspaceId, cap);
  // Runs rest until the former cap allows their message. A removal is repeated whole after a crash.
  if (before || !cap) await wakeRunsOfWorkspace(workspaceId, now);
  return capJson(cap);
}
