import { formatMailbox } from '../../../domain/address.ts';
import type { AutomationDefinition, AutomationStep } from '../../../domain/automation/automation.ts';
import {
  fillText,
  fillValues,
  type VariableFacts,
  variableOrigin,
  variableValue,
} from '../../../domain/automation/variables.ts';
import { compileTemplate } from '../../../domain/template/compile.ts';
import { fillTemplate, type TemplateMessage, type TemplateVersion } from '../../../domain/template/template.ts';
import { defaultSender, type Workspace } from '../../../domain/workspace/workspace.ts';
import { getMessage } from '../../../store/templates.ts';
import type { RunMail } from '../../emails/runMail.ts';

type SendStep = Extract<AutomationStep, { readonly type: 'send_email' }>;

/** The message of a step, or why there is none. */
export type RunContent =
  | { readonly kind: 'mail'; readonly mail: RunMail }
  | { readonly kind: 'template_deleted' }
  | { readonly kind: 'no_sender' }
  | { readonly kind: 'missing'; readonly names: readonly string[] };

export async function contentOf(
  { config }: SendStep,
  { definition, workspace, tag }: { definition: AutomationDefinition; workspace: Workspace; tag: string | null },
  facts: VariableFacts,
): Promise<RunContent> {
  const sender = defaultSender(workspace);
  const from =
    config.from ?? definition.from ?? (sender && formatMailbox({ name: sender.name, address: sender.email }));
  if (!from) return { kind: 'no_sender' };
  const message = await messageOf(config, workspace);
  if (!message) return { kind: 'template_deleted' };
  const values = valuesFor(message.message, config.template?.variables ?? {}, facts);
  const filled = fillTemplate(message.message, values);
  if (!filled.ok) return { kind: 'missing', names: filled.problems.map(({ key }) => key) };
  const own = config.template && config.subject !== undefined ? fillText(config.subject, facts) : null;
  if (own && own.missing.length > 0) return { kind: 'missing', names: own.missing };
  const subject = own?.value ?? filled.subject;
  if (!subject || !(filled.html || filled.text)) return { kind: 'missing', names: ['subject'] };
  const replyTo = config.reply_to ?? definition.reply_to;
  const track = config.track ?? definition.track;
  return {
    kind: 'mail',
    mail: {
      ...{ from, subject, html: filled.html || undefined, text: filled.text || undefined },
      ...(replyTo && { reply_to: [...replyTo] }),
      ...(track && { track }),
      ...(tag !== null && { tags: [tagOf(tag)] }),
      ...(message.template && { template: message.template }),
    },
  };
}

/** `name:value`; a value may contain further colons. */
function tagOf(tag: string) {
  const end = tag.indexOf(':');
  return { name: tag.slice(0, end), value: tag.slice(end + 1) };
}

interface WrittenMessage {
  readonly message: TemplateMessage;
  readonly template?: TemplateVersion;
}

/** Null for a template that was deleted. */
async function messageOf(
  { template, subject, html, text }: SendStep['config'],
  workspace: Workspace,
): Promise<WrittenMessage | null> {
  if (template) {
    const found = await getMessage(workspace.id, template.id, template.version);
    return found && { message: found.message, template: { id: template.id, version: found.version } };
  }
  const source = { subject: subject ?? null, html: html ?? null, text: text ?? null };
  const frame = { workspaceName: workspace.name, language: workspace.language };
  const compiled = compileTemplate({ ...source, preheader: null, blocks: null, variables: [] }, frame);
  if (!compiled.ok) throw new Error('A checked message did not compile.');
  return { message: compiled.message };
}

type Scalar = string | number | boolean;
const scalarOf = (value: unknown): Scalar | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : undefined;

/** What the step gives by name, and what the text itself takes from the run (`{{event.order_id}}`). */
function valuesFor(message: TemplateMessage, given: object, facts: VariableFacts): Record<string, Scalar | undefined> {
  const names = message.places.flatMap(({ source }) =>
    source.kind === 'merge' && source.field.source.kind === 'variable' ? [source.field.source.name] : [],
  );
  const own = names
    .filter((name) => variableOrigin(name) !== null)
    .map((name) => [name, scalarOf(variableValue(name, facts))] as const);
  const named = Object.entries(fillValues(given, facts).value as object).map(([name, value]) => [
    name,
    scalarOf(value),
  ]);
  return Object.fromEntries([...own, ...named]);
}
