import { ServiceError, ValidationError } from '../../../../contract/errors.ts';
import { isZone } from '../../../../domain/time/zonedTime.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { readDraft } from '../../../../services/campaigns/operator/draft.ts';
import { dryRunOf, obstacleOf } from '../../../../services/campaigns/operator/preflight.ts';
import { scheduleCampaign } from '../../../../services/campaigns/operator/schedule.ts';
import { campaignFiles } from '../../../assets/campaigns/campaign.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf, redirect } from '../../../call.ts';
import { setZone, zoneOfCookies } from '../../../door/cookies.ts';
import { askPage } from '../../../frame/ask.ts';
import { type Filled, field, ticks, untouched } from '../../../frame/form.ts';
import { submitted } from '../../../frame/submit.ts';
import { audienceName } from '../audienceName.ts';
import { campaignPath } from '../list.ts';
import { countLater, countOf, countRefused } from './counted.ts';
import { momentOfForm, twiceShown } from './moment.ts';
import { sendingTexts as texts } from './texts.ts';

/** Every zone that the IANA database has a name for; those of this machine's Node. */
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/'))];

/**
 * The one that was chosen last stands first, and is chosen where no script knows the reader's own. None is marked as
 * chosen, so that the script knows that nobody did.
 */
function zonesFor({ request }: ConsoleCall): (readonly [string, string])[] {
  const last = zoneOfCookies(request.cookies) ?? '';
  const known = isZone(last) ? [last, ...zones.filter((zone) => zone !== last)] : zones;
  return known.map((zone) => [zone, zone] as const);
}

export async function askSchedule(call: ConsoleCall, filled: Filled = untouched): Promise<ConsoleReply> {
  const { context, language, parameters, query } = call;
  const { id, status, revision, draft } = await readDraft(context, { id: parameters.id ?? '' });
  const path = campaignPath(id);
  if (status !== 'draft' || !may(call, 'change')) return redirect(placeOf(call, path));
  if ((await obstacleOf(context, { id })) !== null) return redirect(placeOf(call, `${path}/check`));
  const href = placeOf(call, `${path}/schedule`, { count: 'yes' });
  const count = query.has('count') ? await counted(call, id) : countLater(language, href);
  const to = await audienceName(call, draft.segmentId);
  const twice = twiceShown(filled.values);
  const choices = (['first', 'second'] as const).map((value) => ({
    value,
    label: texts[value][language].replace('{moment}', () => twice?.[value] ?? ''),
  }));
  const which = ticks(filled, language, { name: 'which', legend: texts.which[language], choices, type: 'radio' });
  return askPage(call, {
    room: 'campaigns',
    parent: { label: draft.name, path: `${path}/check` },
    title: texts.scheduleTitle[language].replace('{name}', () => draft.name),
    what: [texts.scheduleWhat[language], html`${texts.sendTo[language]} <b><bdi>${to}</bdi></b>`],
    button: texts.schedule,
    isDangerous: false,
    action: `${path}/schedule`,
    hidden: { revision: String(revision) },
    fields: html`${count}${field(filled, language, { name: 'day', label: texts.day[language], type: 'date', required: true })}
${field(filled, language, { name: 'time', label: texts.time[language], type: 'time', required: true })}
${twice ? which : null}${field(filled, language, { name: 'zone', label: texts.zone[language], options: zonesFor(call) })}`,
    filled,
    names: ['day', 'time', 'zone', 'which'],
    files: campaignFiles(),
  });
}

/** How many it would be now; or why it would be refused, which keeps it from being scheduled as well. */
async function counted(call: ConsoleCall, id: string): Promise<Html> {
  const { context, language } = call;
  const { blocked, recipients } = await dryRunOf(context, id);
  if (blocked === null && recipients !== null) return countOf(language, recipients);
  const check = placeOf(call, `${campaignPath(id)}/check`);
  return countRefused(blocked ?? '', html`<a href="${check}">${texts.check[language]}</a>`);
}

export async function scheduleOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, parameters } = call;
  const { id, status, scheduledAt } = await readDraft(context, { id: parameters.id ?? '' });
  const zone = form.get('zone')?.trim() ?? '';
  const location = placeOf(call, campaignPath(id), { done: 'scheduled', zone });
  const there: ConsoleReply = { kind: 'redirect', location, ...(isZone(zone) && { cookies: [setZone(zone)] }) };
  const act = async () => {
    const at = momentOfForm(form);
    // A second click finds it scheduled; for another moment, somebody else was quicker.
    if (status === 'scheduled') {
      return scheduledAt === at.toISOString() ? there : redirect(placeOf(call, campaignPath(id)));
    }
    const { blocked } = await dryRunOf(context, id);
    if (blocked !== null) return redirect(placeOf(call, `${campaignPath(id)}/check`));
    await scheduleCampaign(context, { id, at, revision: Number(form.get('revision') ?? -1) }).catch(atTime);
    return there;
  };
  return submitted(call, act, (filled) => askSchedule(call, filled));
}

/** What the verb calls `at` is the time of the form. */
function atTime(error: unknown): never {
  if (!(error instanceof ServiceError) || !error.issues.some(({ path }) => path === 'at')) throw error;
  throw new ValidationError(error.issues.map((issue) => (issue.path === 'at' ? { ...issue, path: 'time' } : issue)));
}
