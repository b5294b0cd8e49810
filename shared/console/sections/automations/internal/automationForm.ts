import { ValidationError } from '../../../../contract/errors.ts';
import { checked } from '../../../../contract/fieldNames.ts';
import { createAutomationRequest, updateAutomationRequest } from '../../../../contract/schemas/automation.ts';
import { definitionFile, fileFields } from '../../../../domain/automation/definitionFile.ts';
import { html } from '../../../../pages/html.ts';
import {
  createAutomation,
  duplicateAutomation,
  updateAutomation,
} from '../../../../services/automations/changeAutomations.ts';
import { getAutomation } from '../../../../services/automations/readAutomations.ts';
import { type ConsoleCall, type ConsoleReply, redirect } from '../../../call.ts';
import { cardOf } from '../../../layout/elements.ts';
import { emptyForm, type FormState, field, formOf, problemsOf, submitForm } from '../../../layout/form.ts';
import { layoutTexts } from '../../../layout/layoutTexts.ts';
import { pageOf } from '../../../layout/page.ts';
import { pathOf } from '../../../paths.ts';
import { automationsTexts as texts } from './automationTexts.ts';

export type AutomationDetail = Awaited<ReturnType<typeof getAutomation>>;

export const automationPath = (id: string): string => `/automations/${encodeURIComponent(id)}`;

export const readAutomation = ({ context, parameters }: ConsoleCall): Promise<AutomationDetail> =>
  getAutomation(context, { id: parameters.id ?? '', version: undefined });

/** What a new automation begins with: it has each common kind of step, and sends nothing before it is changed and enabled. */
const example = {
  steps: [
    { key: 'start', type: 'trigger', config: { source: 'subscribed' } },
    { key: 'rest', type: 'delay', config: { duration: '1 day' } },
    {
      key: 'welcome',
      type: 'send_email',
      config: { subject: 'Welcome, {{contact.firstName|there}}', text: 'Thank you for joining us.' },
    },
  ],
  connections: [
    { from: 'start', to: 'rest' },
    { from: 'rest', to: 'welcome' },
  ],
};

/** The definition without the name, which has a field of its own. */
function definitionOf(automation: AutomationDetail | null): string {
  const { name: _, ...definition } = JSON.parse(definitionFile({ ...(automation ?? example) })) as { name?: string };
  return JSON.stringify(definition, null, 2);
}

function form(call: ConsoleCall, before: AutomationDetail | null, filled: FormState = emptyForm): ConsoleReply {
  const { language } = call;
  const path = before ? `${automationPath(before.id)}/edit` : '/automations/add';
  const isWrong = filled.issues.length > 0;
  const body = html`${field(filled, language, { name: 'name', label: texts.name[language], value: before?.name ?? '', required: true })}
${field(filled, language, {
  ...{ name: 'definition', label: texts.definition[language], hint: texts.definitionHint[language] },
  ...{ type: 'textarea', value: definitionOf(before), required: true },
})}
${before ? html`<p class="soft">${texts.newVersion[language]}</p>` : null}
<button>${texts.save[language]}</button>`;
  return pageOf(call, {
    section: 'automations',
    parent: before
      ? { label: before.name, path: automationPath(before.id) }
      : { label: layoutTexts.automations[language], path: '/automations' },
    title: (before ? texts.edit : texts.add)[language],
    body: cardOf(
      null,
      html`${problemsOf(filled, language, ['name', 'definition'])}${formOf(call, { action: pathOf(call, path) }, body)}`,
      'definition',
    ),
    status: isWrong ? 422 : 200,
    isWrong,
    files: { style: 'automation.css' },
  });
}

/** The definition as it was written. Throws for a text that is no JSON object. */
function written({ form: given }: ConsoleCall): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(given.get('definition') ?? '');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    const why = error instanceof SyntaxError ? `: ${error.message}` : '';
    const text = { en: `${texts.notJson.en}${why}`, fr: `${texts.notJson.fr}${why}` };
    throw new ValidationError([{ path: 'definition', text }]);
  }
  throw new ValidationError([{ path: 'definition', text: texts.notObject }]);
}

const nameIn = ({ form: given }: ConsoleCall): string => (given.get('name') ?? '').trim();

export const showAdd = async (call: ConsoleCall): Promise<ConsoleReply> => form(call, null);

export const addOne = (call: ConsoleCall): Promise<ConsoleReply> =>
  submitForm(
    call,
    async () => {
      const given = checked(createAutomationRequest, { ...written(call), name: nameIn(call) });
      const { id } = await createAutomation(call.context, { ...given, status: 'disabled' });
      return redirect(pathOf(call, automationPath(id), { done: 'created' }));
    },
    (filled) => form(call, null, filled),
  );

export const showEdit = async (call: ConsoleCall): Promise<ConsoleReply> => form(call, await readAutomation(call));

export async function editOne(call: ConsoleCall): Promise<ConsoleReply> {
  const before = await readAutomation(call);
  return submitForm(
    call,
    async () => {
      const given = checked(updateAutomationRequest, { ...fileFields, ...written(call), name: nameIn(call) });
      // The status has buttons of its own, which say what follows from it.
      await updateAutomation(call.context, { ...given, id: before.id, status: undefined });
      return redirect(pathOf(call, automationPath(before.id), { done: 'saved' }));
    },
    (filled) => form(call, before, filled),
  );
}

export async function duplicateOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { id } = await duplicateAutomation(call.context, { id: call.parameters.id ?? '' });
  return redirect(pathOf(call, automationPath(id), { done: 'created' }));
}
