import { type Issue, ServiceError, ValidationError } from '../../../../../contract/errors.ts';
import { campaignDraft, problemsOfDraft, type WrittenDraft } from '../../../../../contract/schemas/campaignDraft.ts';
import { bodyIn } from '../../../../../domain/content/block.ts';
import { type OpenDraft, readDraft, saveDraft } from '../../../../../services/campaigns/drafts.ts';
import { type ConsoleCall, type ConsoleReply, dataOf, redirect } from '../../../../call.ts';
import { parseForm } from '../../../../layout/form.ts';
import { pathOf } from '../../../../paths.ts';
import { campaignPath, sealedIfAddress, sealedPerson } from '../campaignElements.ts';
import { operated } from './blockOperations.ts';
import { editorPage } from './editorPage.ts';
import { draftOfForm, isShared, issuesOfFields, shownVariant } from './readForm.ts';

const seenRevision = (form: URLSearchParams): number => Number(/^\d{1,9}$/.exec(form.get('revision') ?? '')?.[0] ?? -1);

const save = (call: ConsoleCall, open: OpenDraft, draft: WrittenDraft) =>
  saveDraft(call.context, { id: open.id, revision: seenRevision(call.form), draft: parseForm(campaignDraft, draft) });

/**
 * POST: saves the form with the change of the pressed button and redirects. A refused form is shown again with its
 * problems.
 */
export async function saveEditor(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, parameters } = call;
  const open = await readDraft(context, { id: parameters.id ?? '' });
  const written = draftOfForm(form, open.draft);
  const { draft, anchor, variant } = withButton(written, form);
  try {
    await save(call, open, draft);
  } catch (error) {
    const shown = { draft: written, asked: form };
    if (error instanceof ValidationError) {
      return editorPage(call, open, { ...shown, filled: { values: form, issues: error.issues } });
    }
    if (!(error instanceof ServiceError) || error.code !== 'conflict' || open.status !== 'draft') throw error;
    const stale = { ...open, revision: seenRevision(form) };
    const issues = [{ path: '', text: error.text }];
    return editorPage(call, stale, { ...shown, filled: { values: form, issues }, isOvertaken: true });
  }
  const path = campaignPath(open.id);
  if (form.get('do') === 'check') return redirect(pathOf(call, `${path}/check`));
  const [, view] = /^view:(\w+)$/.exec(form.get('do') ?? '') ?? [];
  const back = pathOf(call, `${path}/edit`, {
    view: view ?? (form.get('view') || undefined),
    as: sealedIfAddress(call, form.get('as') ?? ''),
    variant,
    ...(form.get('do') === 'save' && { done: 'saved' }),
  });
  return redirect(anchor === null ? back : `${back}#${encodeURIComponent(anchor)}`);
}

interface Pressed {
  readonly draft: WrittenDraft;
  /** The element to scroll to on the next page. */
  readonly anchor: string | null;
  /** The variant to edit next, if the variants have different messages. */
  readonly variant: string | undefined;
}

function withButton(draft: WrittenDraft, form: URLSearchParams): Pressed {
  const button = form.get('do') ?? '';
  const { variants } = draft;
  const shown = shownVariant(form);
  const variant = form.has('shared') || variants.length < 2 ? undefined : String(shown);
  const [, verb, number] = /^variant:(add|remove|show)(?::([0-3]))?$/.exec(button) ?? [];
  const [first] = variants;
  if (verb === 'add' && first) {
    const test = draft.test ?? { share: 0.2, decideBy: 'opens' as const, waitHours: 4 };
    const added = { ...draft, test, variants: [...variants, { ...first, name: null, subject: '' }].slice(0, 4) };
    return { draft: added, anchor: `ab_test.variants[${variants.length}].subject`, variant };
  }
  if (verb === 'remove' && Number(number) > 0) {
    const left = variants.toSpliced(Number(number), 1);
    return {
      draft: { ...draft, variants: left, test: left.length > 1 ? draft.test : null },
      anchor: null,
      variant: undefined,
    };
  }
  if (verb === 'show') return { draft, anchor: 'content', variant: number ?? '0' };
  const place = Math.min(shown, variants.length - 1);
  const shownBody = variants[place];
  const done = shownBody?.html === undefined ? operated(shownBody?.blocks ?? [], button) : null;
  if (!done) return { draft, anchor: null, variant };
  const changed = variants.map((one, index) =>
    form.has('shared') || index === place ? { ...one, ...bodyIn({ blocks: done.blocks }) } : one,
  );
  return { draft: { ...draft, variants: changed }, anchor: done.place, variant };
}

/** The response to the script's save. */
interface SaveResult {
  readonly outcome: 'saved' | 'overtaken' | 'refused';
  readonly revision?: number;
  /** Issues by field name. */
  readonly issues: readonly { readonly name: string; readonly text: string }[];
  readonly text?: string;
}

/** POST by the script after each pause in typing: saves the draft and returns what is still missing. */
export async function autosaveEditor(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, language, parameters } = call;
  const open = await readDraft(context, { id: parameters.id ?? '' });
  const draft = draftOfForm(form, open.draft);
  const named = (issues: readonly Issue[]) => {
    const shared = form.has('shared') || isShared(draft);
    return issuesOfFields(issues, shownVariant(form), shared).map(({ path, text }) => ({
      name: path,
      text: text[language],
    }));
  };
  try {
    const { revision } = await save(call, open, draft);
    return saveReply({ outcome: 'saved', revision, issues: named(problemsOfDraft(draft)) });
  } catch (error) {
    if (error instanceof ValidationError) return saveReply({ outcome: 'refused', issues: named(error.issues) });
    if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error;
    return saveReply({ outcome: 'overtaken', issues: [], text: error.text[language] });
  }
}

/** POST by the script: encrypts the address of the person for the URL of the preview. */
export async function choosePerson(call: ConsoleCall): Promise<ConsoleReply> {
  try {
    return dataOf({ as: sealedPerson(call, call.form.get('as') ?? '') ?? '' });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return dataOf({ message: error.issues.map(({ text }) => text[call.language]).join('; ') });
  }
}

const saveReply = (what: SaveResult): ConsoleReply => dataOf(what);
