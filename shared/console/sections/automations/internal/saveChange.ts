import { type Issue, ServiceError } from '../../../../contract/errors.ts';
import { html } from '../../../../pages/html.ts';
import { updateAutomation } from '../../../../services/automations/changeAutomations.ts';
import { type ConsoleCall, type ConsoleReply, redirect } from '../../../call.ts';
import { emptyForm, type FormState, submitForm } from '../../../layout/form.ts';
import { pathOf } from '../../../paths.ts';
import { type AutomationDetail, automationPath, readAutomation } from './automation.ts';
import { changeTexts as texts } from './automationTexts.ts';

/** The name of the hidden field with the version that a form was drawn from. */
const versionField = 'version';

export const versionOf = ({ version }: AutomationDetail): Readonly<Record<string, string>> => ({
  [versionField]: String(version),
});

/** What a form changes, as the verb takes it. */
export type DefinitionChange = Omit<Parameters<typeof updateAutomation>[1], 'id' | 'status' | 'basedOn'>;

interface ChangeForm {
  /** The change that the form asks for. Throws `validation_error`. */
  change(before: AutomationDetail): DefinitionChange;
  /** The form with what was posted. */
  show(automation: AutomationDetail, filled: FormState): ConsoleReply | Promise<ConsoleReply>;
  /** Issues of the contract, by the names of the form's fields. */
  placed?(issues: readonly Issue[], change: DefinitionChange): readonly Issue[];
  /** The part of the page that is shown afterwards. */
  readonly anchor?: string;
}

/**
 * Makes the change that a form asks for, unless another change was made since the form was drawn: then the form is shown
 * again, with what was written and with the newest version, so that saving once more is a decision.
 */
export async function saveChange(call: ConsoleCall, form: ChangeForm): Promise<ConsoleReply> {
  const { context, form: values } = call;
  const before = await readAutomation(call);
  const { id } = before;
  const given = values.get(versionField) ?? '';
  const basedOn = /^\d{1,9}$/.test(given) ? Number(given) : before.version;
  let change: DefinitionChange = {};
  // A button that shows the form again, with another empty row.
  const isMore = values.get('do') === 'more';
  if (isMore && basedOn === before.version) return form.show(before, { values, issues: [] });
  return submitForm(
    call,
    async () => {
      if (basedOn !== before.version) throw new ServiceError('conflict', { text: texts.overtaken });
      change = form.change(before);
      // The status has buttons of its own, which say what follows from it.
      await updateAutomation(context, { ...change, id, status: undefined, basedOn });
      return redirect(`${pathOf(call, automationPath(id), { done: 'saved' })}${form.anchor ?? ''}`);
    },
    async (filled) => {
      const now = await readAutomation(call);
      if (now.version !== basedOn) return form.show(now, { ...filled, issues: [{ path: '', text: texts.overtaken }] });
      return form.show(now, { ...filled, issues: form.placed?.(filled.issues, change) ?? filled.issues });
    },
  );
}

/** What a form that was overtaken shows besides: where the newest version is. */
export function newestLink(call: ConsoleCall, { id }: AutomationDetail, filled: FormState = emptyForm) {
  const isOvertaken = filled.issues.some(({ text }) => text === texts.overtaken);
  if (!isOvertaken) return null;
  return html`<p><a href="${pathOf(call, automationPath(id))}" target="_blank" rel="noopener">${texts.showNewest[call.language]}</a></p>`;
}
