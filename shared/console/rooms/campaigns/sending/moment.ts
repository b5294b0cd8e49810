import { type Issue, ValidationError } from '../../../../contract/errors.ts';
import { inZone, isZone, parseWallTime, shownInZone } from '../../../../domain/time/zonedTime.ts';
import { inEachLanguage, type Language } from '../../../../language/languages.ts';
import type { Text } from '../../../../language/text.ts';
import { sendingTexts as texts } from './texts.ts';

/** The two moments of a time that a zone's clocks show twice; null for any other. */
export function twiceShown(form: URLSearchParams): { readonly first: string; readonly second: string } | null {
  const [wall, zone] = [wallOf(form), zoneOf(form)];
  const found = wall && isZone(zone) ? inZone(wall, zone) : null;
  return found?.kind === 'fold' ? { first: shownInZone(found.at, zone), second: shownInZone(found.later, zone) } : null;
}

const zoneOf = (form: URLSearchParams): string => form.get('zone')?.trim() ?? '';
const wallOf = (form: URLSearchParams) =>
  parseWallTime(`${form.get('day')?.trim() ?? ''} ${form.get('time')?.trim() ?? ''}`);

/** The moment that was meant. Throws for a time that is none, that the clocks jump over, or of which there are two. */
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

/** How a clock of the zone shows it, and that it will have changed by then. */
export function shownThere(at: Date, zone: string, now: Date, language: Language): string | null {
  if (!isZone(zone)) return null;
  const offset = (shown: string) => /GMT[^)]*|UTC/.exec(shown.slice(shown.lastIndexOf(',')))?.[0] ?? '';
  const [then, today] = [shownInZone(at, zone), shownInZone(now, zone)];
  if (offset(then) === offset(today)) return then;
  return `${then}. ${texts.clocks[language].replace('{now}', offset(today)).replace('{then}', offset(then))}`;
}
