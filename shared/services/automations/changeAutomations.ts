import { ServiceError, ValidationError } from '../../contract/errors.ts';
import type { Input, Output } from '../../contract/route.ts';
import type {
  createAutomationRoute,
  duplicateAutomationRoute,
  updateAutomationRoute,
} from '../../contract/routes/automations.ts';
import type { AutomationDefinition, AutomationStatus, LiveSettings } from '../../domain/automation/automation.ts';
import type { GivenDefinition } from '../../domain/automation/definitionSchema.ts';
import { canonicalJson } from '../../domain/encoding.ts';
import type { Text } from '../../language/text.ts';
import { overtaken, untilSettled } from '../../platform/deadline.ts';
import {
  type AutomationHead,
  type AutomationJob,
  addAutomation,
  replaceAutomation,
} from '../../store/automation/automations.ts';
import { type Context, newId } from '../context.ts';
import { existingWorkspace } from '../existingWorkspace.ts';
import { operatorVerb } from '../operatorVerb.ts';
import { automationDetail, findWhole, type WholeAutomation } from './internal/automationRecord.ts';
import { beginJobs } from './internal/beginJobs.ts';
import { readGiven } from './internal/readGiven.ts';

const maxAutomations = 100;

/** Creates an automation, disabled unless its status says otherwise. Throws `validation_error` with every problem. */
export const createAutomation = /* @__PURE__ */ operatorVerb(
  { action: 'automation.create', needs: 'change', subject: ({ name }) => name, byKeys: 'audited' },
  async (
    context: Context,
    { name, status = 'disabled', idempotencyKey: _, ...given }: Input<typeof createAutomationRoute>,
  ): Promise<Output<typeof createAutomationRoute>> => {
    const workspace = await existingWorkspace(context.workspaceId);
    const { definition, settings } = await readGiven(workspace, given, status !== 'disabled');
    return add(context, { name, status, definition, settings });
  },
);

interface NewAutomation {
  readonly name: string;
  readonly status: AutomationStatus;
  readonly definition: AutomationDefinition;
  readonly settings: LiveSettings;
}

async function add(
  context: Context,
  { name, status, definition, settings }: NewAutomation,
): Promise<Output<typeof createAutomationRoute>> {
  const { workspaceId, now } = context;
  const at = now.toISOString();
  const head: AutomationHead = {
    ...settings,
    ...{ workspaceId, id: newId(context, 'auto'), name, status },
    ...{ version: 1, epoch: 0, revision: 1, held: null, jobs: {}, createdAt: at, updatedAt: at, deletedAt: null },
  };
  const jobs = jobsOfChange(null, { head, definition });
  if (!(await addAutomation(head, definition, { limit: maxAutomations, jobs, at: now }))) {
    return automationDetail(await ownEarlierTry(workspaceId, head.id));
  }
  await begin(jobs, { head, definition });
  return automationDetail({ head, definition });
}

/** Under an Idempotency-Key a repeated call has the id of the first, which may have created it. */
async function ownEarlierTry(workspaceId: string, id: string): Promise<WholeAutomation> {
  try {
    return await findWhole(workspaceId, id);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found')
      throw new ValidationError([{ path: '', text: tooMany }]);
    throw error;
  }
}

const tooMany: Text = {
  en: `a workspace has at most ${maxAutomations} automations: delete one first`,
  fr: `un espace compte au plus ${maxAutomations} automatisations : supprimez-en une d’abord`,
};

/** A new automation with the same definition, disabled and without runs. */
export const duplicateAutomation = /* @__PURE__ */ operatorVerb(
  { action: 'automation.duplicate', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (
    context: Context,
    { id }: Pick<Input<typeof duplicateAutomationRoute>, 'id'>,
  ): Promise<Output<typeof duplicateAutomationRoute>> => {
    const { head, definition } = await findWhole(context.workspaceId, id);
    return add(context, { name: head.name, status: 'disabled', definition, settings: settingsOf(head) });
  },
);

const settingsOf = ({ tag, quietHours, maxDelay }: LiveSettings): LiveSettings => ({ tag, quietHours, maxDelay });

/** The version that a change was made for: it is refused (`conflict`) when there is a later one. */
interface BasedOnVersion {
  readonly basedOn?: number | undefined;
}

/**
 * Changes the given fields: anything but name and status makes the next version. Of two concurrent changes the later one
 * applies to the result of the earlier, unless it says which version it is based on.
 */
export const updateAutomation = /* @__PURE__ */ operatorVerb(
  {
    action: 'automation.edit',
    needs: 'change',
    subject: ({ id }) => id,
    note: ({ status }) => status,
    byKeys: 'audited',
  },
  async (
    context: Context,
    { id, name, status, basedOn, ...given }: Input<typeof updateAutomationRoute> & BasedOnVersion,
  ): Promise<Output<typeof updateAutomationRoute>> =>
    untilSettled(async () => {
      const before = await findWhole(context.workspaceId, id);
      const { version } = before.head;
      if (basedOn !== undefined && basedOn !== version) throw new ServiceError('conflict', { details: { version } });
      const after = await changed(context, before, { name, status, given });
      if (!after) return automationDetail(before);
      const jobs = jobsOfChange(before, after);
      if (!(await replaceAutomation(before, after, { jobs, at: context.now }))) return overtaken;
      await begin(jobs, after);
      return automationDetail(after);
    }),
);

interface AutomationChange {
  readonly name: string | undefined;
  readonly status: AutomationStatus | undefined;
  readonly given: GivenDefinition;
}

/** Null when everything stays as it is. */
async function changed(
  { workspaceId, now }: Context,
  before: WholeAutomation,
  { name = before.head.name, status = before.head.status, given }: AutomationChange,
): Promise<WholeAutomation | null> {
  const { head } = before;
  const known = { definition: before.definition, settings: settingsOf(head) };
  const isRead = Object.values(given).some((value) => value !== undefined) || isEnabling(head.status, status);
  const workspace = isRead ? await existingWorkspace(workspaceId) : null;
  const { definition, settings } = workspace
    ? await readGiven(workspace, { ...givenForm(known), ...withoutUndefined(given) }, status !== 'disabled')
    : known;
  const isNewVersion = canonicalJson({ definition, settings }) !== canonicalJson(known);
  if (!isNewVersion && name === head.name && status === head.status) return null;
  return {
    definition,
    head: {
      ...{ ...head, ...settings, name, status },
      version: head.version + (isNewVersion ? 1 : 0),
      revision: head.revision + 1,
      updatedAt: now.toISOString(),
    },
  };
}

const isEnabling = (before: AutomationStatus, after: AutomationStatus): boolean =>
  before === 'disabled' && after !== before;

/** A stored definition as a caller would write it. */
function givenForm({
  definition,
  settings: { tag, quietHours, maxDelay },
}: Pick<NewAutomation, 'definition' | 'settings'>) {
  return { ...definition, tag, quiet_hours: quietHours, max_delay: maxDelay };
}

/** A topic in place of a tag, or the other way round, is not both. */
function withoutUndefined(given: GivenDefinition): GivenDefinition {
  const own = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return 'topic_id' in own && !('tag' in own) ? { ...own, tag: undefined } : own;
}

/** Runs that rested go on; a start by segment or date needs one look at everybody. */
function jobsOfChange(before: WholeAutomation | null, after: WholeAutomation): readonly AutomationJob[] {
  const from = before?.head.status ?? 'disabled';
  const [{ config: trigger }] = after.definition.steps;
  const isWatched = 'source' in trigger && (trigger.source === 'segment_entered' || trigger.source === 'date');
  const isOther =
    before === null || canonicalJson(before.definition.steps[0]) !== canonicalJson(after.definition.steps[0]);
  const isPrepared = after.head.status === 'enabled' && isWatched && (from !== 'enabled' || isOther);
  const isWoken = before !== null && isEnabling(from, after.head.status);
  return [...(isWoken ? (['wake'] as const) : []), ...(isPrepared ? (['prepare'] as const) : [])];
}

async function begin(jobs: readonly AutomationJob[], { head }: WholeAutomation): Promise<void> {
  if (jobs.length > 0) await beginJobs(head);
}
