import { isAlias } from '../../domain/person/erased.ts';
import { noPreferences, type Preferences } from '../../domain/person/preferences.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { getAddress } from '../../store/person/people.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import type { PersonContext } from '../context.ts';
import { changePerson } from '../subscribers/change.ts';
import { type Leaver, readLeaver } from './read.ts';

export type PreferencesOutcome = 'shown' | 'tampered' | 'unknown' | 'erased';

/** How it stands behind a link; workspace and address are there whenever it is `shown`. */
export interface ShownPreferences {
  readonly outcome: PreferencesOutcome;
  readonly workspace: Workspace | null;
  readonly email: string | null;
  readonly preferences: Preferences;
}

/** What the page shows before anything is chosen. Changes nothing. */
export async function previewPreferences(
  { now }: PersonContext,
  { token }: { readonly token: string },
): Promise<ShownPreferences> {
  return (await behind(token, now)).shown;
}

/**
 * Keeps what somebody has chosen by their link: it decides over tracking and over the kinds of mail that the workspace
 * offers, and over nothing else. Of kinds that are no longer offered what was said before stays.
 */
export async function changePreferences(
  { now }: PersonContext,
  { token, wanted }: { readonly token: string; readonly wanted: Preferences },
): Promise<ShownPreferences> {
  const { leaver, shown } = await behind(token, now);
  const { workspace } = shown;
  if (shown.outcome !== 'shown' || !workspace || !leaver) return shown;
  const offered = workspace.kinds.map(({ tag }) => tag);
  const preferences = await changePerson(leaver, 'link', now, ({ person }) => {
    const kept = person.preferences.leftTags.filter((tag) => !offered.includes(tag));
    const leftTags = [...kept, ...offered.filter((tag) => wanted.leftTags.includes(tag))];
    const next = { isUntracked: wanted.isUntracked, leftTags };
    const isSame = JSON.stringify(next) === JSON.stringify(person.preferences);
    return { person: isSame ? person : { ...person, preferences: next }, result: next };
  });
  return { ...shown, preferences };
}

/** Who is behind a link, and how they stand. */
export async function behind(token: string, now: Date): Promise<{ leaver: Leaver | null; shown: ShownPreferences }> {
  const leaver = await readLeaver(token, now);
  const none = { workspace: null, email: null, preferences: noPreferences };
  if (!leaver) return { leaver, shown: { ...none, outcome: 'tampered' } };
  const workspace = await getWorkspace(leaver.workspaceId);
  if (!workspace) return { leaver, shown: { ...none, outcome: 'unknown' } };
  if (isAlias(leaver.email)) return { leaver, shown: { ...none, workspace, outcome: 'erased' } };
  const { person } = await getAddress(leaver.workspaceId, leaver.email);
  if (person.suppression?.isErased) return { leaver, shown: { ...none, workspace, outcome: 'erased' } };
  const { email, preferences } = person;
  return { leaver, shown: { outcome: 'shown', workspace, email, preferences } };
}
