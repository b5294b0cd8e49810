import { ServiceError } from '../contract/errors.ts';
import type { AutomationDefinition, LiveSettings } from '../domain/automation/automation.ts';
import { textsOf } from '../language/text.ts';
import { getVersion, listAutomations } from '../store/automation/automations.ts';

/** Automations whose runs may still go on, and which use something. Reads the newest version of each. */
async function automationsUsing(
  workspaceId: string,
  isUsing: (definition: AutomationDefinition, settings: LiveSettings) => boolean,
): Promise<readonly { readonly id: string; readonly name: string; readonly status: string }[]> {
  const active = (await listAutomations(workspaceId)).filter(({ status }) => status !== 'disabled');
  const found = await Promise.all(
    active.map(async (head) => {
      const version = await getVersion(workspaceId, head.id, head.version);
      return version && isUsing(version.definition, head) ? [head] : [];
    }),
  );
  return found.flat().map(({ id, name, status }) => ({ id, name, status }));
}

const targets = textsOf({
  segment: { en: 'this segment', fr: 'ce segment' },
  topic: { en: 'this topic', fr: 'ce type d’e-mail' },
});

async function refuse(
  target: keyof typeof targets,
  automations: Awaited<ReturnType<typeof automationsUsing>>,
): Promise<void> {
  if (automations.length === 0) return;
  const names = automations.map(({ name }) => name).slice(0, 3);
  throw new ServiceError('conflict', {
    text: {
      en: `Automations use ${targets[target].en}: ${names.map((name) => `"${name}"`).join(', ')}. Change or disable them first.`,
      fr: `Des automatisations utilisent ${targets[target].fr} : ${names.map((name) => `« ${name} »`).join(', ')}. Modifiez-les ou désactivez-les d’abord.`,
    },
    details: { automations },
  });
}

/** Throws `conflict` while an automation that is not disabled starts with this segment. */
export async function requireSegmentUnused(workspaceId: string, segmentId: string): Promise<void> {
  const isUsing = ({ steps: [{ config }] }: AutomationDefinition) =>
    'source' in config && config.source === 'segment_entered' && config.segment_id === segmentId;
  await refuse('segment', await automationsUsing(workspaceId, isUsing));
}

/** Throws `conflict` while an automation that is not disabled sends messages of this topic: nobody could leave them. */
export async function requireTopicUnused(workspaceId: string, tag: string): Promise<void> {
  const isUsing = ({ steps }: AutomationDefinition, settings: LiveSettings) =>
    settings.tag === tag || steps.some((step) => step.type === 'send_email' && step.config.tag === tag);
  await refuse('topic', await automationsUsing(workspaceId, isUsing));
}
