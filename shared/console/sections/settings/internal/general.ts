import { ValidationError } from '../../../../contract/errors.ts';
import { characterCount } from '../../../../domain/encoding.ts';
import { type PlanName, planNames, plans } from '../../../../domain/sending/quota.ts';
import { languageTags, nameOfLanguage } from '../../../../language/languages.ts';
import { html } from '../../../../pages/html.ts';
import {
  renameWorkspace,
  setLanguage,
  setPlan,
  setTracking,
  showWorkspace,
} from '../../../../services/workspaces/workspaces.ts';
import { type ConsoleCall, type ConsoleReply, may, redirect } from '../../../call.ts';
import { cardOf, factsOf, momentOf, numberOf } from '../../../layout/elements.ts';
import { emptyForm, type FormState, field, formOf, problemsOf, submitForm, ticks } from '../../../layout/form.ts';
import { pathOf } from '../../../paths.ts';
import { settingsPage } from './settingsPage.ts';
import { settingsTexts as texts } from './settingsTexts.ts';

export async function showGeneral(call: ConsoleCall, filled: FormState = emptyForm): Promise<ConsoleReply> {
  const { context, language } = call;
  const workspace = await showWorkspace(context);
  const languages = languageTags.map((tag) => [tag, nameOfLanguage(tag, language)] as const);
  const { opens, clicks } = workspace.tracking;
  const tracked = [
    { value: 'opens', label: texts.opens[language], hint: texts.trackingHint[language] },
    { value: 'clicks', label: texts.clicks[language] },
  ];
  const chosen = [...(opens ? ['opens'] : []), ...(clicks ? ['clicks'] : [])];
  const form = formOf(
    call,
    { action: pathOf(call, '/settings') },
    html`${field(filled, language, { name: 'name', label: texts.name[language], hint: texts.nameHint[language], value: workspace.name, required: true })}
${field(filled, language, { name: 'language', label: texts.language[language], options: languages, value: workspace.language })}
${ticks(filled, language, { name: 'tracking', legend: texts.tracking[language], choices: tracked, chosen })}
<button>${texts.save[language]}</button>`,
  );
  const quota = numberOf(workspace.monthly_quota, language);
  const facts = factsOf([
    [texts.id[language], html`<code>${workspace.id}</code>`],
    [texts.plan[language], `${workspace.plan}, ${texts.perMonth[language].replace('{quota}', quota)}`],
    [texts.since[language], momentOf(workspace.created_at, language)],
  ]);
  const isWrong = filled.issues.length > 0;
  return settingsPage(call, 'general', {
    body: html`${may(call, 'change') ? cardOf(null, html`${problemsOf(filled, language, ['name', 'language', 'tracking'])}${form}`) : null}
${cardOf(texts.facts[language], facts)}${may(call, 'own') ? cardOf(texts.planChange[language], may(call, 'platform') ? planForm(call, workspace.plan) : html`<p>${texts.planByPlatform[language]}</p>`) : null}`,
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

function planForm(call: ConsoleCall, plan: PlanName) {
  const { language } = call;
  const options = planNames.map((name) => {
    const quota = numberOf(plans[name].monthlyQuota, language);
    return [name, `${name}: ${texts.perMonth[language].replace('{quota}', quota)}`] as const;
  });
  return formOf(
    call,
    { action: pathOf(call, '/settings/plan') },
    html`${field(emptyForm, language, { name: 'plan', label: texts.plan[language], hint: texts.planWhat[language], options, value: plan })}<button class="plain">${texts.save[language]}</button>`,
  );
}

export async function savePlan(call: ConsoleCall): Promise<ConsoleReply> {
  const plan = planNames.find((name) => name === call.form.get('plan'));
  if (plan && plan !== (await showWorkspace(call.context)).plan) await setPlan(call.context, { plan });
  return redirect(pathOf(call, '/settings', { done: 'saved' }));
}

export async function saveGeneral(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form } = call;
  const act = async () => {
    const name = (form.get('name') ?? '').trim();
    if (name === '' || characterCount(name) > 100 || /\p{Cc}/u.test(name)) {
      throw new ValidationError([{ path: 'name', text: texts.nameWrong }]);
    }
    const before = await showWorkspace(context);
    const language = languageTags.find((tag) => tag === form.get('language')) ?? before.language;
    const chosen = form.getAll('tracking');
    const tracking = { opens: chosen.includes('opens'), clicks: chosen.includes('clicks') };
    // Only changed settings are written, so that the audit log has no entry without a change.
    if (name !== before.name) await renameWorkspace(context, { name });
    if (language !== before.language) await setLanguage(context, { language });
    const { opens, clicks } = before.tracking;
    if (tracking.opens !== opens || tracking.clicks !== clicks) await setTracking(context, tracking);
    return redirect(pathOf(call, '/settings', { done: 'saved' }));
  };
  return submitForm(call, act, (filled) => showGeneral(call, filled));
}
