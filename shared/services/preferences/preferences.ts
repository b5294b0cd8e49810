import { isAlias } from '../../domain/person/erased.ts';
import {
  noPreferences,
  type Preferences,
  type TrackedAction,
  type TrackingChoice,
} from '../../domain/person/person.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { sendConfirmationMessage } from '../../queue/confirmation.ts';
import { mailboxHash } from '../../store/person/mailboxes.ts';
import { getAddress } from '../../store/person/people.ts';
import { countSignUp } from '../../store/signUpWindows.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import type { Context, PersonContext } from '../context.ts';
import { personalUnsubscribeUrl, readUnsubscribeLink, type UnsubscribeLink } from '../links.ts';
import { requireOperator } from '../operatorVerb.ts';
import { changePerson } from '../people.ts';

export type PreferencesOutcome = 'shown' | 'tampered' | 'unknown' | 'erased';

/** What the page of an unsubscribe link shows. Workspace and address are present when the outcome is `shown`. */
export interface PreferencesResult {
  readonly outcome: PreferencesOutcome;
  readonly workspace: Workspace | null;
  readonly email: string | null;
  readonly preferences: Preferences;
}

/** What a person ticks on the page of their link. */
export interface PreferenceChoices {
  readonly refused: Readonly<Record<TrackedAction, boolean>>;
  /** Topics (`name:value`) among those that the page shows. */
  readonly leftTags: readonly string[];
}

/** The stored preferences of the person behind a link. Changes nothing. */
export async function previewPreferences(
  { now }: PersonContext,
  { token }: { readonly token: string },
): Promise<PreferencesResult> {
  return (await readPreferences(token, now)).result;
}

/**
 * Stores a person's choices about tracking and about the kinds of mail that the workspace offers. Earlier choices about
 * kinds that are no longer offered are kept.
 */
export async function changePreferences(
  { now }: PersonContext,
  { token, choices }: { readonly token: string; readonly choices: PreferenceChoices },
): Promise<PreferencesResult> {
  const { link, result } = await readPreferences(token, now);
  const { workspace } = result;
  if (result.outcome !== 'shown' || !workspace || !link) return result;
  const offered = workspace.kinds.map(({ tag }) => tag);
  const preferences = await changePerson(link, 'link', now, ({ person }) => {
    const kept = person.preferences.leftTags.filter((tag) => !offered.includes(tag));
    const leftTags = [...kept, ...offered.filter((tag) => choices.leftTags.includes(tag))];
    const { opens, clicks } = person.preferences;
    const next: Preferences = {
      ...person.preferences,
      opens: chosen(opens, choices.refused.opens),
      clicks: chosen(clicks, choices.refused.clicks),
      leftTags,
    };
    const isSame = JSON.stringify(next) === JSON.stringify(person.preferences);
    return { person: isSame ? person : { ...person, preferences: next }, result: next };
  });
  return { ...result, preferences };
}

/** A refusal that the person takes back is no consent. */
const chosen = (before: TrackingChoice, isRefused: boolean): TrackingChoice =>
  isRefused ? 'denied' : before === 'denied' ? 'unknown' : before;

async function readPreferences(
  token: string,
  now: Date,
): Promise<{ link: UnsubscribeLink | null; result: PreferencesResult }> {
  const link = await readUnsubscribeLink(token, now);
  const none = { workspace: null, email: null, preferences: noPreferences };
  if (!link) return { link, result: { ...none, outcome: 'tampered' } };
  const workspace = await getWorkspace(link.workspaceId);
  if (!workspace) return { link, result: { ...none, outcome: 'unknown' } };
  if (isAlias(link.email)) return { link, result: { ...none, workspace, outcome: 'erased' } };
  const { person } = await getAddress(link.workspaceId, link.email);
  if (person.suppression?.isErased) return { link, result: { ...none, workspace, outcome: 'erased' } };
  const { email, preferences } = person;
  return { link, result: { outcome: 'shown', workspace, email, preferences } };
}

/** Anybody with a forwarded message can request the data, so it is mailed once a day at most. */
const windowSeconds = 86_400;
/** The worker sends one mail a day however many messages it receives; the others replace a lost one. */
const maxMessages = 3;

/**
 * Requests that a person's stored data is mailed to their own address. The outcome does not reveal whether it is sent:
 * only the worker reads the person.
 */
export async function askForData(
  { now }: PersonContext,
  { token }: { readonly token: string },
): Promise<PreferencesResult> {
  const { result } = await readPreferences(token, now);
  const { outcome, workspace, email } = result;
  if (outcome !== 'shown' || !workspace || email === null) return result;
  const subject = `${workspace.id}#DATA#${await mailboxHash(email)}`;
  const { count, endsAt } = await countSignUp(subject, windowSeconds, now);
  // The start of the window, so that all requests of a day are the same request.
  const askedAt = new Date((endsAt - windowSeconds) * 1000).toISOString();
  const message = { kind: 'data', workspaceId: workspace.id, email, askedAt } as const;
  if (count <= maxMessages) await sendConfirmationMessage(message);
  return result;
}

/** The unsubscribe link of an address (canonical form), for support to pass on. */
export async function showUnsubscribeLink(context: Context, { email }: { readonly email: string }): Promise<string> {
  requireOperator(context, 'change');
  return personalUnsubscribeUrl(context.workspaceId, email);
}
