import { ValidationError } from '../../../contract/errors.ts';
import { characterCount } from '../../../domain/encoding/characterCount.ts';
import { type PlanName, planNames, plans } from '../../../domain/sending/plan.ts';
import { languageTags, nameOfLanguage } from '../../../language/languages.ts';
import { html } from '../../../pages/html.ts';
import { renameWorkspace } from '../../../services/workspaces/rename.ts';
import { setLanguage } from '../../../services/workspaces/setLanguage.ts';
import { setPlan } from '../../../services/workspaces/setPlan.ts';
import { setTracking } from '../../../services/workspaces/setTracking.ts';
import { showWorkspace } from '../../../services/workspaces/show.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf, redirect } from '../../call.ts';
import { type Filled, field, formOf, problemsOf, ticks, untouched } from '../../frame/form.ts';
import { cardOf, factsOf, momentOf, numberOf } from '../../frame/parts.ts';
import { submitted } from '../../frame/submit.ts';
import { settingsPage } from './tabs.ts';
import { settingsTexts as texts } from './texts.ts';

export async function showGeneral(call: ConsoleCall, filled: Filled = untouched): Promise<ConsoleReply> {
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
    { action: placeOf(call, '/settings') },
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
${cardOf(texts.facts[language], facts)}${may(call, 'own') ? cardOf(texts.planChange[language], planForm(call, workspace.plan)) : null}`,
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
    { action: placeOf(call, '/settings/plan') },
    html`${field(untouched, language, { name: 'plan', label: texts.plan[language], hint: texts.planWhat[language], options, value: plan })}<button class="plain">${texts.save[language]}</button>`,
  );
}

export async function savePlan(call: ConsoleCall): Promise<ConsoleReply> {
  const plan = planNames.find((name) => name === call.form.get('plan'));
  if (plan && plan !== (await showWorkspace(call.context)).plan) await setPlan(call.context, { plan });
  return redirect(placeOf(call, '/settings', { done: 'saved' }));
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
    const wanted = form.getAll('tracking');
    const tracking = { opens: wanted.includes('opens'), clicks: wanted.includes('clicks') };
    // Each only when it differs: what did not change is no deed for the audit log.
    if (name !== before.name) await renameWorkspace(context, { name });
    if (language !== before.language) await setLanguage(context, { language });
    const { opens, clicks } = before.tracking;
    if (tracking.opens !== opens || tracking.clicks !== clicks) await setTracking(context, tracking);
    return redirect(placeOf(call, '/settings', { done: 'saved' }));
  };
  return submitted(call, act, (filled) => showGeneral(call, filled));
}
