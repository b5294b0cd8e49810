import { type Issue, ServiceError, ValidationError } from '../../../../../contract/errors.ts';
import {
  type AutomationStep,
  type ConnectionType,
  connectionsOf,
} from '../../../../../domain/automation/automation.ts';
import { inEachLanguage } from '../../../../../language/languages.ts';
import { html } from '../../../../../pages/html.ts';
import type { ConsoleCall, ConsolePage, ConsoleReply } from '../../../../call.ts';
import { confirmationPage } from '../../../../layout/confirmationPage.ts';
import { cardOf } from '../../../../layout/elements.ts';
import { emptyForm, type FormState, ticks } from '../../../../layout/form.ts';
import { pageOf } from '../../../../layout/page.ts';
import { pathOf } from '../../../../paths.ts';
import { type AutomationDetail, automationPath, readAutomation } from '../automation.ts';
import { branchTexts, changeTexts } from '../automationTexts.ts';
import {
  type Flow,
  type Joining,
  joiningsOf,
  nextOf,
  type StepPlace,
  stepWith,
  withStepAt,
  withTargets,
} from '../flow.ts';
import { newestLink, saveChange, versionOf } from '../saveChange.ts';
import { knownFor } from './known.ts';
import { type StepType, stepForms } from './stepFields.ts';
import { placedAt, stepForm, stepPath, targetsIn } from './stepForm.ts';
import { stepPageTexts as texts, typeTexts } from './stepTexts.ts';

const addPath = (id: string): string => `${automationPath(id)}/steps`;

/** Where the drawing's links lead. */
export const stepLinks = (call: ConsoleCall, id: string) => ({
  edit: (key: string) => pathOf(call, stepPath(id, key)),
  add: (after: string, branch: ConnectionType) =>
    pathOf(call, addPath(id), { after, ...(branch !== 'default' && { branch }) }),
});

const filled = (text: string, value: string): string => text.replace('{x}', () => value);

const typeNamed = (name: string | null): StepType | undefined =>
  (Object.keys(stepForms) as StepType[]).find((type) => type === name);

/* A step that exists. */

const keyOf = ({ parameters }: ConsoleCall): string => parameters.key ?? '';

function storedStep(call: ConsoleCall, automation: AutomationDetail): AutomationStep {
  const step = stepWith(automation, keyOf(call));
  if (!step) throw new ServiceError('not_found');
  return step;
}

/** A step that was removed meanwhile keeps the form that its author wrote. */
async function editForm(call: ConsoleCall, automation: AutomationDetail, state: FormState): Promise<ConsoleReply> {
  const key = keyOf(call);
  const stored = stepWith(automation, key);
  const posted = typeNamed(state.values.get('type'));
  if (!stored && !posted) throw new ServiceError('not_found');
  const type = stored?.type ?? posted ?? 'exit';
  const step = stored ?? ({ key, type, config: stepForms[type].initial } as AutomationStep);
  const path = stepPath(automation.id, key);
  return stepForm(call, {
    ...{ automation, filled: state, known: await knownFor(call.context, type, automation), type, step },
    ...{ title: filled(texts.title[call.language], key), action: path, hidden: { type } },
    ...(type !== 'trigger' && { removeAt: `${path}/remove` }),
  });
}

async function showStep(call: ConsoleCall): Promise<ConsoleReply> {
  const automation = await readAutomation(call);
  storedStep(call, automation);
  return editForm(call, automation, emptyForm);
}

const gone = (key: string) =>
  new ValidationError([{ path: '', text: inEachLanguage((language) => filled(changeTexts.gone[language], key)) }]);

/** The issues of a changed definition by the fields of the form of one of its steps. */
const placedIn =
  (own: (flow: Flow) => AutomationStep | undefined) =>
  (issues: readonly Issue[], change: object): readonly Issue[] =>
    'steps' in change ? placedAt(own(change as Flow), change as Flow)(issues) : issues;

async function editStep(call: ConsoleCall): Promise<ConsoleReply> {
  const key = keyOf(call);
  return saveChange(call, {
    change: (before) => {
      const step = stepWith(before, key);
      if (!step) throw gone(key);
      const config = stepForms[step.type].read(call.form);
      const steps = before.steps.map((one) => (one === step ? ({ ...one, config } as AutomationStep) : one));
      const { connections } = withTargets(before, key, targetsIn(call.form, step.type));
      return { steps: [...steps], connections: [...connections] };
    },
    show: (automation, state) => editForm(call, automation, state),
    placed: placedIn((flow) => stepWith(flow, key)),
    anchor: `#step-${key}`,
  });
}

/* A new step. */

const isBranchOf = (step: AutomationStep, branch: string): branch is ConnectionType =>
  (connectionsOf[step.type] as readonly string[]).includes(branch);

/** Where the new step goes; a branch that its predecessor has not is its first one. */
function placeIn(values: URLSearchParams, flow: Flow): StepPlace | null {
  const step = stepWith(flow, values.get('after') ?? '');
  const [first] = step ? connectionsOf[step.type] : [];
  if (!step || first === undefined) return null;
  const branch = values.get('branch') ?? '';
  return { after: step.key, branch: isBranchOf(step, branch) ? branch : first };
}

function freeKey({ steps }: Flow, type: StepType): string {
  const { key } = stepForms[type];
  const taken = new Set(steps.map((step) => step.key));
  const names = [key, ...steps.map((_, index) => `${key}_${index + 2}`)];
  return names.find((name) => !taken.has(name)) ?? '';
}

async function addForm(
  call: ConsoleCall,
  automation: AutomationDetail,
  values: URLSearchParams,
  state: FormState,
): Promise<ConsoleReply> {
  const { language, context } = call;
  const type = typeNamed(values.get('type'));
  const after = values.get('after') ?? '';
  const place = placeIn(values, automation) ?? { after, branch: (values.get('branch') ?? 'default') as ConnectionType };
  const title = filled(texts.add[language], after);
  if (type === undefined || type === 'trigger') return chooseType(call, automation, place, title);
  const next = nextOf(automation, place.after, place.branch);
  const targets = Object.fromEntries(next === undefined ? [] : connectionsOf[type].map((branch) => [branch, next]));
  return stepForm(call, {
    ...{ automation, filled: state, known: await knownFor(context, type, automation), type, step: null, title },
    ...{ action: addPath(automation.id), hidden: { type, after: place.after, branch: place.branch } },
    proposed: { key: freeKey(automation, type), targets },
  });
}

function chooseType(
  call: ConsoleCall,
  automation: AutomationDetail,
  { after, branch }: StepPlace,
  title: string,
): ConsoleReply {
  const { language } = call;
  const types = (Object.keys(stepForms) as StepType[]).filter((type) => type !== 'trigger');
  const choices = types.map(
    (type) =>
      html`<li><a class="button plain" href="${pathOf(call, addPath(automation.id), { after, branch, type })}">${typeTexts[type][language]}</a></li>`,
  );
  return pageOf(call, {
    section: 'automations',
    parent: { label: automation.name, path: automationPath(automation.id) },
    title,
    body: cardOf(texts.choose[language], html`<ul class="types">${choices}</ul>`),
    files: { style: 'automation.css' },
  });
}

async function showAddStep(call: ConsoleCall): Promise<ConsoleReply> {
  const automation = await readAutomation(call);
  if (!placeIn(call.query, automation)) throw new ServiceError('not_found');
  return addForm(call, automation, call.query, emptyForm);
}

async function addStep(call: ConsoleCall): Promise<ConsoleReply> {
  const { form } = call;
  const type = typeNamed(form.get('type'));
  const key = (form.get('key') ?? '').trim();
  if (type === undefined || type === 'trigger') throw new ServiceError('not_found');
  return saveChange(call, {
    change: (before) => {
      const place = placeIn(form, before);
      if (!place) throw gone(form.get('after') ?? '');
      const step = { key, type, config: stepForms[type].read(form) };
      const { steps, connections } = withStepAt(before, place, step, targetsIn(form, type));
      return { steps: [...steps], connections: [...connections] };
    },
    show: (automation, state) => addForm(call, automation, form, state),
    // Its key may be that of another step.
    placed: placedIn(({ steps }) => steps[steps.findIndex((one) => one.key === form.get('after')) + 1]),
    anchor: `#step-${encodeURIComponent(key)}`,
  });
}

/* The end of a step. */

function removeForm(call: ConsoleCall, automation: AutomationDetail, state: FormState): ConsoleReply {
  const { language } = call;
  const key = keyOf(call);
  const { type } = storedStep(call, automation);
  const ways = joiningsOf(automation, key);
  const [only] = ways;
  const lostWords = ({ lost }: Joining) => (lost.length > 0 ? filled(texts.lost[language], lost.join(', ')) : '');
  const nextWords = ({ next }: Joining) =>
    next === undefined ? texts.thenEnds[language] : filled(texts.thenGoesOn[language], next);
  const choices = ways.map((way) => ({
    value: way.branch ?? '',
    label: way.branch === null || way.branch === 'default' ? '' : branchTexts[way.branch][language],
    hint: `${nextWords(way)} ${lostWords(way)}`.trim(),
  }));
  const isOpen = ways.length > 1;
  const what = isOpen || !only ? [] : [nextWords(only), lostWords(only)].filter((line) => line !== '');
  return confirmationPage(call, {
    section: 'automations',
    parent: { label: automation.name, path: automationPath(automation.id) },
    title: filled(texts.removeTitle[language], key),
    what: [...(type === 'trigger' ? [texts.noTrigger[language]] : what), texts.removeWhat[language]],
    fields: html`${newestLink(call, automation, state)}${isOpen ? ticks(state, language, { name: 'stays', legend: texts.decide[language], choices, type: 'radio' }) : null}`,
    names: ['stays'],
    button: texts.remove,
    action: `${stepPath(automation.id, key)}/remove`,
    hidden: versionOf(automation),
    filled: state,
  });
}

const askRemove = async (call: ConsoleCall): Promise<ConsoleReply> =>
  removeForm(call, await readAutomation(call), emptyForm);

async function removeStep(call: ConsoleCall): Promise<ConsoleReply> {
  const key = keyOf(call);
  return saveChange(call, {
    change: (before) => {
      const { type } = storedStep(call, before);
      if (type === 'trigger') throw new ValidationError([{ path: '', text: texts.noTrigger }]);
      const ways = joiningsOf(before, key);
      const chosen = ways.length > 1 ? ways.find(({ branch }) => branch === call.form.get('stays')) : ways[0];
      if (!chosen) throw new ValidationError([{ path: 'stays', text: texts.decideWrong }]);
      return { steps: [...chosen.flow.steps], connections: [...chosen.flow.connections] };
    },
    show: (automation, state) => removeForm(call, automation, state),
    placed: placedIn(() => undefined),
  });
}

export const stepPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/automations/{id}/steps', needs: 'change', verb: showAddStep },
  { method: 'POST', path: '/automations/{id}/steps', needs: 'change', verb: addStep },
  { method: 'GET', path: '/automations/{id}/steps/{key}', needs: 'change', verb: showStep },
  { method: 'POST', path: '/automations/{id}/steps/{key}', needs: 'change', verb: editStep },
  { method: 'GET', path: '/automations/{id}/steps/{key}/remove', needs: 'change', verb: askRemove },
  { method: 'POST', path: '/automations/{id}/steps/{key}/remove', needs: 'change', verb: removeStep },
];
