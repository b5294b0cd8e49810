import { type Issue, ServiceError, summaryOf, ValidationError } from '../../../contract/errors.ts';
import { pathOf } from '../../../contract/issues.ts';
import { addressKey, parseMailbox } from '../../../domain/address/address.ts';
import { type Suppression, suppressionReasonTexts } from '../../../domain/person/suppression.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import type { Text } from '../../../language/text.ts';
import { inParallel } from '../../../platform/parallel.ts';
import type { Standing } from '../../../store/suppression/suppression.ts';
import type { WholeEmail } from '../completing/wholeEmail.ts';
import { composeChecked } from '../draft.ts';
import { checkMoment } from '../scheduled/moment.ts';
import { type Letter, momentOf, type ReadyLetter } from './letter.ts';

export interface Refusal {
  readonly letter: Pick<Letter, 'index'> & Partial<Letter>;
  readonly error: ServiceError;
}

/**
 * Checks every letter as a single email is, and composes those that pass. Throws what stands against all of them.
 * `askedAt`: when the batch was first asked for. A moment that passes while a retry under the key has to wait is none to
 * refuse: it would hold up all the others, and for good.
 */
export async function composeAll(
  letters: readonly Letter[],
  workspace: Workspace,
  standings: readonly Standing[],
  { isLaterCall, askedAt }: { readonly isLaterCall: boolean; readonly askedAt: Date },
): Promise<{ readonly ready: readonly ReadyLetter[]; readonly refused: readonly Refusal[] }> {
  const byAddress = new Map(standings.map((standing) => [standing.email, standing]));
  const compose = async (letter: Letter): Promise<ReadyLetter | Refusal> => {
    const own = letter.draft.addresses.flatMap((address) => byAddress.get(addressKey(address)) ?? []);
    try {
      const at = momentOf(letter);
      if (at) checkMoment(at, askedAt);
      return { ...letter, ...(await composeChecked(letter.draft, workspace, own, isLaterCall)) };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'reputation_blocked') throw error;
      return { letter, error };
    }
  };
  // A link to leave is a call for each; the files of all of them came in one request, and fit into memory several times.
  const composed = await inParallel(lettersAtOnce, letters, compose);
  return {
    ready: composed.flatMap((one) => ('error' in one ? [] : one)),
    refused: composed.flatMap((one) => ('error' in one ? one : [])),
  };
}

const lettersAtOnce = 16;

/** The refusal of a whole batch: code and details of its first refused email, and what is wrong with each of them. */
export function refusalOfAll(refused: readonly Refusal[]): ServiceError {
  const issues = refused.flatMap(issuesOf);
  const { code = 'validation_error', details = {} } = refused[0]?.error ?? {};
  if (code === 'validation_error') return new ValidationError(issues);
  return new ServiceError(code, { text: summaryOf(issues), details, issues });
}

function issuesOf({ letter: { index, draft }, error }: Refusal): Issue[] {
  if (error.issues.length > 0)
    return error.issues.map(({ path, text }) => ({ path: `${pathOf([index])}.${path}`, text }));
  if (error.code === 'unverified_from_domain') return [{ path: pathOf([index, 'from']), text: error.text }];
  const recipients = (error.details.recipients ?? []) as readonly RefusedRecipient[];
  return recipients.map(({ email, reason, tag }) => ({
    path: pathOf([index, ...(draft ? placeOfRecipient(draft.body, email) : [])]),
    text: tag === undefined ? listed(email, suppressionReasonTexts[reason]) : left(email, tag),
  }));
}

/** `tag`: the kind of mail that they have left. */
type RefusedRecipient = Pick<Suppression, 'email' | 'reason'> & { readonly tag?: string };

const left = (email: string, tag: string): Text => ({
  en: `${email} has left this kind of mail (${tag})`,
  fr: `${email} a quitté ce type d’e-mail (${tag})`,
});

const listed = (email: string, reason: Text): Text => ({
  en: `${email} is on the suppression list (${reason.en})`,
  fr: `${email} est sur la liste d’exclusion (${reason.fr})`,
});

function placeOfRecipient(body: WholeEmail, email: string): PropertyKey[] {
  for (const field of ['to', 'cc', 'bcc'] as const) {
    const given = body[field];
    const place = [given ?? []].flat().findIndex((entry) => {
      const parsed = parseMailbox(entry);
      return parsed.ok && addressKey(parsed.mailbox.address) === email;
    });
    if (place >= 0) return Array.isArray(given) ? [field, place] : [field];
  }
  return [];
}
