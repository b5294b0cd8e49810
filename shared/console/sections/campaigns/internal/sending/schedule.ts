import { type Issue, ServiceError, ValidationError } from '../../../../../contract/errors.ts';
import { inZone, isZone, parseWallTime, shownInZone } from '../../../../../domain/zonedTime.ts';
import { inEachLanguage, type Language } from '../../../../../language/languages.ts';
import type { Text } from '../../../../../language/text.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { readDraft } from '../../../../../services/campaigns/drafts.ts';
import { blockedReasonOf, dryRunOf } from '../../../../../services/campaigns/preflight.ts';
import { scheduleCampaign } from '../../../../../services/campaigns/scheduleCampaign.ts';
import { setZone, zoneOfCookies } from '../../../../access/cookies.ts';
import { type ConsoleCall, type ConsoleReply, may, redirect } from '../../../../call.ts';
import { confirmationPage } from '../../../../layout/confirmationPage.ts';
import { emptyForm, type FormState, field, submitForm, ticks } from '../../../../layout/form.ts';
import { pathOf } from '../../../../paths.ts';
import { audienceName, campaignPath, topicNoteOf } from '../campaignElements.ts';
import { countLater, countOf, countRefused } from './audience.ts';
import { sendingTexts as texts } from './sendingTexts.ts';

/** All IANA time zones that this version of Node knows. */
const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name.includes('/'))];

/**
 * The zone chosen last comes first. No option is marked as selected, so that the script can select the reader's own
 * zone.
 */
function zonesFor({ request }: ConsoleCall): (readonly [string, string])[] {
  const last = zoneOfCookies(request.cookies) ?? '';
  const known = isZone(last) ? [last, ...zones.filter((zone) => zone !== last)] : zones;
  return known.map((zone) => [zone, zone] as const);
}

export async function askSchedule(call: ConsoleCall, filled: FormState = emptyForm): Promise<ConsoleReply> {
  const { context, language, parameters, query } = call;
  const { id, status, revision, draft } = await readDraft(context, { id: parameters.id ?? '' });
  const path = campaignPath(id);
  if (status !== 'draft' || !may(call, 'change')) return redirect(pathOf(call, path));
  if ((await blockedReasonOf(context, { id })) !== null) return redirect(pathOf(call, `${path}/check`));
  const href = pathOf(call, `${path}/schedule`, { count: 'yes' });
  const count = query.has('count') ? await counted(call, id) : countLater(language, href);
  const [to, topic] = await Promise.all([audienceName(call, draft.segmentId), topicNoteOf(call, draft.tag)]);
  const twice = twiceShown(filled.values);
  const choices = (['first', 'second'] as const).map((value) => ({
    value,
    label: texts[value][language].replace('{moment}', () => twice?.[value] ?? ''),
  }));
  const which = ticks(filled, language, { name: 'which', legend: texts.which[language], choices, type: 'radio' });
  return confirmationPage(call, {
    section: 'campaigns',
    parent: { label: draft.name, path: `${path}/check` },
    title: texts.scheduleTitle[language].replace('{name}', () => draft.name),
    what: [texts.scheduleWhat[language], html`${texts.sendTo[language]} <b><bdi>${to}</bdi></b>${topic}`],
    button: texts.schedule,
    isDangerous: false,
    action: `${path}/schedule`,
    hidden: { revision: String(revision) },
    fields: html`${count}${field(filled, language, { name: 'day', label: texts.day[language], type: 'date', required: true })}
${field(filled, language, { name: 'time', label: texts.time[language], type: 'time', required: true })}
${twice ? which : null}${field(filled, language, { name: 'zone', label: texts.zone[language], options: zonesFor(call) })}`,
    filled,
    names: ['day', 'time', 'zone', 'which'],
    files: { style: 'campaign.css', script: 'campaign.js' },
  });
}

/** The current number of recipients, or why a send would be refused; a refusal prevents scheduling too. */
async function counted(call: ConsoleCall, id: string): Promise<Html> {
  const { context, language } = call;
  const { blocked, recipients } = await dryRunOf(context, id);
  if (blocked === null && recipients !== null) return countOf(language, recipients);
  const check = pathOf(call, `${campaignPath(id)}/check`);
  return countRefused(blocked ?? '', html`<a href="${check}">${texts.check[language]}</a>`);
}

export async function scheduleOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, parameters } = call;
  const { id, status, scheduledAt } = await readDraft(context, { id: parameters.id ?? '' });
  const zone = form.get('zone')?.trim() ?? '';
  const location = pathOf(call, campaignPath(id), { done: 'scheduled', zone });
  const there: ConsoleReply = { kind: 'redirect', location, ...(isZone(zone) && { cookies: [setZone(zone)] }) };
  const act = async () => {
    const at = momentOfForm(form);
    // A second click finds the campaign scheduled for the same time. Another time was set by another operator.
    if (status === 'scheduled') {
      return scheduledAt === at.toISOString() ? there : redirect(pathOf(call, campaignPath(id)));
    }
    const { blocked } = await dryRunOf(context, id);
    if (blocked !== null) return redirect(pathOf(call, `${campaignPath(id)}/check`));
    await scheduleCampaign(context, { id, at, revision: Number(form.get('revision') ?? -1) }).catch(atTime);
    return there;
  };
  return submitForm(call, act, (filled) => askSchedule(call, filled));
}

/** Moves issues of the verb's field `at` to the form's field. */
function atTime(error: unknown): never {
  if (!(error instanceof ServiceError) || !error.issues.some(({ path }) => path === 'at')) throw error;
  throw new ValidationError(error.issues.map((issue) => (issue.path === 'at' ? { ...issue, path: 'time' } : issue)));
}

/** The two moments of a local time that occurs twice when clocks are set back; null for any other time. */
export function twiceShown(form: URLSearchParams): { readonly first: string; readonly second: string } | null {
  const [wall, zone] = [wallOf(form), zoneOf(form)];
  const found = wall && isZone(zone) ? inZone(wall, zone) : null;
  return found?.kind === 'fold' ? { first: shownInZone(found.at, zone), second: shownInZone(found.later, zone) } : null;
}

const zoneOf = (form: URLSearchParams): string => form.get('zone')?.trim() ?? '';
const wallOf = (form: URLSearchParams) =>
  parseWallTime(`${form.get('day')?.trim() ?? ''} ${form.get('time')?.trim() ?? ''}`);

/** The chosen moment. Throws for an invalid time, one that clocks skip, and one that occurs twice. */
export function momentOfForm(form: URLSearchParams): Date {
  const [wall, zone] = [wallOf(form), zoneOf(form)];
  const issues: Issue[] = [
    ...(wall ? [] : [{ path: 'time', text: texts.momentWrong }]),
    ...(isZone(zone) ? [] : [{ path: 'zone', text: texts.zoneWrong }]),
  ];
  if (!wall || issues.length > 0) throw new ValidationError(issues);
  const found = inZone(wall, zone);
  if (found.kind === 'once') return found.at;
  if (found.kind === 'gap') throw refused('time', texts.gap, { zone, instead: shownInZone(found.instead, zone) });
  const which = form.get('which');
  if (which === 'first') return found.at;
  if (which === 'second') return found.later;
  throw refused('time', texts.fold, { zone });
}

function refused(path: string, text: Text, values: Readonly<Record<string, string>>): ValidationError {
  const filled = inEachLanguage((language) =>
    text[language].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''),
  );
  return new ValidationError([{ path, text: filled }]);
}

/** The moment in the local time of the zone, with a note if its UTC offset will have changed by then. */
export function shownThere(at: Date, zone: string, now: Date, language: Language): string | null {
  if (!isZone(zone)) return null;
  const offset = (shown: string) => /GMT[^)]*|UTC/.exec(shown.slice(shown.lastIndexOf(',')))?.[0] ?? '';
  const [then, today] = [shownInZone(at, zone), shownInZone(now, zone)];
  if (offset(then) === offset(today)) return then;
  return `${then}. ${texts.clocks[language].replace('{now}', offset(today)).replace('{then}', offset(then))}`;
}
