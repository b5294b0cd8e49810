import { ValidationError } from '../../../../contract/errors.ts';
import { checked } from '../../../../contract/fieldNames.ts';
import { createAutomationRequest, updateAutomationRequest } from '../../../../contract/schemas/automation.ts';
import { definitionFile, fileFields } from '../../../../domain/automation/definitionFile.ts';
import { html } from '../../../../pages/html.ts';
import { createAutomation, duplicateAutomation } from '../../../../services/automations/changeAutomations.ts';
import { type ConsoleCall, type ConsoleReply, redirect } from '../../../call.ts';
import { cardOf } from '../../../layout/elements.ts';
import { emptyForm, type FormState, field, formOf, problemsOf, submitForm } from '../../../layout/form.ts';
import { layoutTexts } from '../../../layout/layoutTexts.ts';
import { pageOf } from '../../../layout/page.ts';
import { pathOf } from '../../../paths.ts';
import { type AutomationDetail, automationPath, readAutomation } from './automation.ts';
import { automationsTexts as texts } from './automationTexts.ts';
import { newestLink, saveChange, versionOf } from './saveChange.ts';

/** What a new automation begins with: it does nothing until steps are put between. */
const empty = {
  steps: [
    { key: 'start', type: 'trigger', config: { source: 'subscribed' } },
    { key: 'end', type: 'exit', config: {} },
  ],
  connections: [{ from: 'start', to: 'end' }],
};

/** The definition without the name, which has a field of its own. */
function definitionOf(automation: AutomationDetail | null): string {
  const { name: _, ...definition } = JSON.parse(definitionFile({ ...(automation ?? empty) })) as { name?: string };
  return JSON.stringify(definition, null, 2);
}

function form(call: ConsoleCall, before: AutomationDetail | null, filled: FormState = emptyForm): ConsoleReply {
  const { language } = call;
  const path = before ? `${automationPath(before.id)}/edit` : '/automations/add';
  const isWrong = filled.issues.length > 0;
  const json = field(filled, language, {
    ...{ name: 'definition', label: texts.definition[language], hint: texts.definitionHint[language] },
    ...{ type: 'textarea', value: definitionOf(before), required: true },
  });
  const body = html`${field(filled, language, { name: 'name', label: texts.name[language], value: before?.name ?? '', required: true })}
${
  before
    ? html`${json}<p class="soft">${texts.newVersion[language]}</p>`
    : html`<p class="soft">${texts.addHint[language]}</p><details${isWrong ? html` open` : null}><summary>${texts.definitionAdd[language]}</summary>${json}</details>`
}
<button>${(before ? texts.save : texts.addButton)[language]}</button>`;
  const link = before && newestLink(call, before, filled);
  const saved =
    link &&
    html`<details><summary>${texts.asSaved[language]}</summary><pre class="code"><code>${definitionOf(before)}</code></pre></details>`;
  const action = pathOf(call, path);
  return pageOf(call, {
    section: 'automations',
    parent: before
      ? { label: before.name, path: automationPath(before.id) }
      : { label: layoutTexts.automations[language], path: '/automations' },
    title: (before ? texts.edit : texts.add)[language],
    body: cardOf(
      null,
      html`${problemsOf(filled, language, ['name', 'definition'])}${link}${saved}${formOf(call, { action, ...(before && { hidden: versionOf(before) }) }, body)}`,
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

export const editOne = (call: ConsoleCall): Promise<ConsoleReply> =>
  saveChange(call, {
    change: () => checked(updateAutomationRequest, { ...fileFields, ...written(call), name: nameIn(call) }),
    show: (automation, filled) => form(call, automation, filled),
  });

export async function duplicateOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { id } = await duplicateAutomation(call.context, { id: call.parameters.id ?? '' });
  return redirect(pathOf(call, automationPath(id), { done: 'created' }));
}
