import type { Issue } from '../../../../../contract/errors.ts';
import {
  type AutomationStep,
  type ConnectionType,
  connectionsOf,
} from '../../../../../domain/automation/automation.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import type { ConsoleCall, ConsoleReply } from '../../../../call.ts';
import { cardOf, linkButton } from '../../../../layout/elements.ts';
import { type FormState, formOf, problemsOf } from '../../../../layout/form.ts';
import { pageOf } from '../../../../layout/page.ts';
import { pathOf } from '../../../../paths.ts';
import { type AutomationDetail, automationPath } from '../automation.ts';
import { type Flow, nextOf, possibleTargets, type Targets } from '../flow.ts';
import { newestLink, versionOf } from '../saveChange.ts';
import { ask, type Choice, type FieldContext, type Known, textIn } from './fields.ts';
import { conditionField, type StepType, stepForms } from './stepFields.ts';
import { stepPageTexts as texts, typeTexts } from './stepTexts.ts';

/** A form of one step: of one that exists, or of one to add. */
export interface StepDraft {
  readonly automation: AutomationDetail;
  readonly filled: FormState;
  readonly known: Known;
  readonly type: StepType;
  /** The step as it is stored; null for a new one. */
  readonly step: AutomationStep | null;
  readonly title: string;
  /** Where the form is posted to, below the workspace, and the fields of its place. */
  readonly action: string;
  readonly hidden?: Readonly<Record<string, string>>;
  /** What is proposed for a new step. */
  readonly proposed?: { readonly key: string; readonly targets: Targets };
  readonly removeAt?: string;
}

export const stepPath = (id: string, key: string): string => `${automationPath(id)}/steps/${encodeURIComponent(key)}`;

const targetField = (type: ConnectionType): string => `to.${type}`;

/** The connections that were chosen. */
export const targetsIn = (form: URLSearchParams, type: StepType): Targets =>
  Object.fromEntries(
    connectionsOf[type].flatMap((branch) => {
      const to = textIn(form, targetField(branch));
      return to === undefined ? [] : [[branch, to]];
    }),
  );

export function stepForm(call: ConsoleCall, draft: StepDraft): ConsoleReply {
  const { language } = call;
  const { automation, filled, known, type, step, title, action, hidden = {}, proposed, removeAt } = draft;
  const { steps, connections } = automation;
  const shown: FieldContext = { language, filled, known, flow: { steps, connections } };
  const save = (step ? texts.save : texts.addButton)[language];
  // The first button of the form, so that the Enter key saves and adds no condition.
  const body = html`<button class="quiet" name="do" value="save" tabindex="-1" aria-hidden="true">${save}</button>
${step ? null : ask(shown, { name: 'key', label: texts.key, hint: texts.keyHint, value: proposed?.key ?? '', required: true })}
${fieldsOf(shown, type, step)}
${targetFields(shown, type, step, proposed?.targets)}
${known.events.length > 0 ? html`<datalist id="events">${known.events.map((name) => html`<option value="${name}">`)}</datalist>` : null}
<div class="row"><button name="do" value="save">${save}</button>${removeAt ? linkButton(texts.remove[language], pathOf(call, removeAt)) : null}</div>`;
  const form = formOf(call, { action: pathOf(call, action), hidden: { ...versionOf(automation), ...hidden } }, body);
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    section: 'automations',
    parent: { label: automation.name, path: automationPath(automation.id) },
    title,
    lead: typeTexts[type][language],
    body: cardOf(
      null,
      html`${problemsOf(filled, language, fieldNamesIn(filled))}${newestLink(call, automation, filled)}${form}`,
      'step-form',
    ),
    status: isWrong ? 422 : 200,
    isWrong,
    files: { style: 'automation.css' },
  });
}

function fieldsOf<Type extends StepType>(shown: FieldContext, type: Type, step: AutomationStep | null): Html {
  const form = stepForms[type];
  return form.fields(shown, (step?.type === type ? step.config : form.initial) as typeof form.initial);
}

function targetFields(
  shown: FieldContext,
  type: StepType,
  step: AutomationStep | null,
  proposed: Targets = {},
): Html | null {
  const { flow, language } = shown;
  const branches = connectionsOf[type];
  if (branches.length === 0) return null;
  const names = possibleTargets(flow, step?.key ?? null).map(
    (one): Choice => [one.key, `${one.key} (${typeTexts[one.type][language]})`],
  );
  const options: readonly Choice[] = [['', texts.ends[language]], ...names];
  return html`<h2>${texts.leads[language]}</h2>${branches.map((branch) => {
    const value = (step ? nextOf(flow, step.key, branch) : proposed[branch]) ?? '';
    return ask(shown, { name: targetField(branch), label: texts[branch], value, options });
  })}`;
}

/** The names, in the contract, of the fields that were posted: they show their own problems. */
export const fieldNamesIn = ({ values }: FormState): string[] =>
  [...new Set(values.keys())].flatMap((name) => {
    const rule = /^(.+)\.(?:join|json)$/.exec(name)?.[1];
    return [name.replace(/(?:changed|date)\.field$/, 'field'), ...(rule === undefined ? [] : [rule])];
  });

/** Issues of a definition by the fields of the form of one step; those of others are said in words. */
export function placedAt(own: AutomationStep | undefined, { steps, connections }: Flow) {
  return (issues: readonly Issue[]): readonly Issue[] =>
    issues.map((issue) => {
      const { path, text } = issue;
      const [, list, number = '', rest = ''] = /^(steps|connections)\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
      if (list === 'steps') {
        const step = steps[Number(number)];
        const field = rest.replace(/^config\.?/, '');
        if (step !== own) return inWords(`${step?.key ?? ''}${field === '' ? '' : `, ${field}`}`, text);
        const isRule = own?.type === 'condition' && rest.startsWith('config');
        return { ...issue, path: isRule ? (field === '' ? conditionField : `${conditionField}.${field}`) : field };
      }
      const connection = list === 'connections' ? connections[Number(number)] : undefined;
      if (!connection) return issue;
      if (connection.from === own?.key) return { ...issue, path: targetField(connection.type) };
      return inWords(`${connection.from} → ${connection.to}`, text);
    });
}

const inWords = (place: string, text: Issue['text']): Issue => ({
  path: '',
  text: { en: `${place}: ${text.en}`, fr: `${place} : ${text.fr}` },
});
