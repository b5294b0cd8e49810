import { type Issue, pathOf, ServiceError } from '../../../contract/errors.ts';
import { parseMailbox } from '../../../domain/address.ts';
import type { AutomationDefinition, AutomationStep, LiveSettings } from '../../../domain/automation/automation.ts';
import { placedRulesOf } from '../../../domain/automation/definitionRules.ts';
import { isId } from '../../../domain/identifier.ts';
import { unkeptIn } from '../../../domain/segment/segmentRule.ts';
import { defaultSender, type Workspace } from '../../../domain/workspace/workspace.ts';
import { type Text, textsOf } from '../../../language/text.ts';
import { config } from '../../../platform/config.ts';
import { getSource, getTemplate } from '../../../store/templates.ts';
import { getWebhook } from '../../../store/webhook/webhooks.ts';
import { getSegment } from '../../../store/workspace/segments.ts';
import { checkDomain } from '../../emails/checks.ts';

const texts = textsOf({
  template: { en: 'is not a template of this workspace', fr: 'n’est pas un modèle de cet espace' },
  version: { en: 'is not a version of this template', fr: 'n’est pas une version de ce modèle' },
  subject: {
    en: 'is required, as the template has none',
    fr: 'est obligatoire, le modèle n’en ayant pas',
  },
  segment: { en: 'is not a segment of this workspace', fr: 'n’est pas un segment de cet espace' },
  webhook: { en: 'is not a webhook of this workspace', fr: 'n’est pas un webhook de cet espace' },
  topic: { en: 'is not the tag of a topic', fr: 'n’est pas l’étiquette d’un type d’e-mail' },
  sender: {
    en: 'is required, as the workspace has no sender yet',
    fr: 'est obligatoire, l’espace n’ayant pas encore d’expéditeur',
  },
});

type SendStep = Extract<AutomationStep, { type: 'send_email' }>;
type TriggerStep = Extract<AutomationStep, { type: 'trigger' }>;

/** What a definition names of its workspace and is not there; with `isEnabled`, also senders that could not send. */
export async function workspaceIssues(
  workspace: Workspace,
  { definition, settings }: { readonly definition: AutomationDefinition; readonly settings: LiveSettings },
  isEnabled: boolean,
): Promise<Issue[]> {
  const found = await Promise.all(
    definition.steps.map(async (step, at) => {
      const issues = await stepIssues(workspace, step, isEnabled ? { from: definition.from } : null);
      return issues.map(({ path, text }) => ({ path: ['steps', at, 'config', ...path], text }));
    }),
  );
  const all = [...found.flat(), ...topicIssues(workspace, settings.tag), ...ruleIssues(definition)];
  return all.map(({ path, text }) => ({ path: pathOf(path), text }));
}

/** `sending`: the sender of the steps that name none; null while nothing is sent. */
async function stepIssues(
  workspace: Workspace,
  step: AutomationStep,
  sending: { readonly from: string | null } | null,
): Promise<Found[]> {
  if (step.type === 'trigger') return triggerIssues(workspace.id, step);
  if (step.type === 'webhook') return webhookIssues(workspace.id, step.config.webhook_id);
  if (step.type !== 'send_email') return [];
  return [
    ...(await templateIssues(workspace.id, step)),
    ...topicIssues(workspace, step.config.tag),
    ...(sending ? senderIssues(workspace, step.config.from ?? sending.from) : []),
  ];
}

/** Rules about what this deployment does not keep. */
const ruleIssues = (definition: AutomationDefinition): Found[] =>
  placedRulesOf(definition).flatMap(({ rule, path: at }) =>
    unkeptIn(rule, { mailActivity: config('MAIL_ACTIVITY'), eventDays: config('EVENT_RETENTION_DAYS') }).map(
      ({ path, text }) => ({
        path: [...at, ...path],
        text,
      }),
    ),
  );

interface Found {
  readonly path: readonly (string | number)[];
  readonly text: Text;
}

async function triggerIssues(workspaceId: string, { config }: TriggerStep): Promise<Found[]> {
  if (!('source' in config) || config.source !== 'segment_entered') return [];
  const { segment_id: id } = config;
  const segment = isId('seg', id) ? await getSegment(workspaceId, id) : null;
  return segment ? [] : [{ path: ['segment_id'], text: texts.segment }];
}

async function webhookIssues(workspaceId: string, webhookId: string): Promise<Found[]> {
  const webhook = isId('whk', webhookId) ? await getWebhook({ workspaceId, webhookId }) : null;
  return webhook ? [] : [{ path: ['webhook_id'], text: texts.webhook }];
}

async function templateIssues(workspaceId: string, { config }: SendStep): Promise<Found[]> {
  const { template: named, subject } = config;
  if (!named) return [];
  const template = isId('tpl', named.id) ? await getTemplate(workspaceId, named.id) : null;
  if (!template) return [{ path: ['template', 'id'], text: texts.template }];
  const source = await getSource(workspaceId, template.id, named.version ?? template.version);
  if (!source) return [{ path: ['template', 'version'], text: texts.version }];
  return source.subject === null && subject === undefined ? [{ path: ['subject'], text: texts.subject }] : [];
}

const topicIssues = ({ kinds }: Workspace, tag: string | null | undefined): Found[] =>
  tag === null || tag === undefined || kinds.some((topic) => topic.tag === tag)
    ? []
    : [{ path: ['tag'], text: texts.topic }];

/** The sender of a step, of its automation, or of the workspace. */
function senderIssues(workspace: Workspace, from: string | null): Found[] {
  const named = from === null ? null : parseMailbox(from);
  const address = named?.ok ? named.mailbox.address : defaultSender(workspace)?.email;
  if (address === undefined) return [{ path: ['from'], text: texts.sender }];
  try {
    checkDomain(from ?? address, address, workspace.domains);
    return [];
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unverified_from_domain')
      return [{ path: ['from'], text: error.text }];
    throw error;
  }
}
