import { type Issue, ServiceError, ValidationError } from '../../../../contract/errors.ts';
import { campaignDraft, problemsOfDraft, type WrittenDraft } from '../../../../contract/schemas/campaign/draft.ts';
import { type OpenDraft, readDraft, saveDraft } from '../../../../services/campaigns/operator/draft.ts';
import { type ConsoleCall, type ConsoleReply, dataOf, placeOf, redirect } from '../../../call.ts';
import { checked } from '../../../frame/submit.ts';
import { sealedIfAddress, sealedPerson } from '../asPerson.ts';
import { campaignPath } from '../list.ts';
import { isShared, issuesOfFields } from './issues.ts';
import { operated } from './operations.ts';
import { editorPage } from './page.ts';
import { draftOfForm, shownVariant } from './readForm.ts';

const seenRevision = (form: URLSearchParams): number => Number(/^\d{1,9}$/.exec(form.get('revision') ?? '')?.[0] ?? -1);

const save = (call: ConsoleCall, open: OpenDraft, draft: WrittenDraft) =>
  saveDraft(call.context, { id: open.id, revision: seenRevision(call.form), draft: checked(campaignDraft, draft) });

/**
 * POST of the form: saves what was written with what its button does, and goes on where that is. What is refused stands
 * in the form again.
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
  if (form.get('do') === 'check') return redirect(placeOf(call, `${path}/check`));
  const [, view] = /^view:(\w+)$/.exec(form.get('do') ?? '') ?? [];
  const back = placeOf(call, `${path}/edit`, {
    view: view ?? (form.get('view') || undefined),
    as: sealedIfAddress(call, form.get('as') ?? ''),
    variant,
    ...(form.get('do') === 'save' && { done: 'saved' }),
  });
  return redirect(anchor === null ? back : `${back}#${encodeURIComponent(anchor)}`);
}

interface Pressed {
  readonly draft: WrittenDraft;
  /** The place of the page where the reader goes on. */
  readonly anchor: string | null;
  /** Which variant's message is written next, where they differ. */
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
  const done = operated(variants[place]?.blocks ?? [], button);
  if (!done) return { draft, anchor: null, variant };
  const changed = variants.map((one, index) =>
    form.has('shared') || index === place ? { ...one, blocks: done.blocks } : one,
  );
  return { draft: { ...draft, variants: changed }, anchor: done.place, variant };
}

/** What the script is told of what it sent. */
interface Told {
  readonly outcome: 'saved' | 'overtaken' | 'refused';
  readonly revision?: number;
  /** By the names of the fields. */
  readonly issues: readonly { readonly name: string; readonly text: string }[];
  readonly text?: string;
}

/** POST by the script, while it is written: saved as it is, and told what is still missing. */
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
    return told({ outcome: 'saved', revision, issues: named(problemsOfDraft(draft)) });
  } catch (error) {
    if (error instanceof ValidationError) return told({ outcome: 'refused', issues: named(error.issues) });
    if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error;
    return told({ outcome: 'overtaken', issues: [], text: error.text[language] });
  }
}

/** POST by the script: how the address of the preview says whom it is shown as. */
export async function choosePerson(call: ConsoleCall): Promise<ConsoleReply> {
  try {
    return dataOf({ as: sealedPerson(call, call.form.get('as') ?? '') ?? '' });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return dataOf({ said: error.issues.map(({ text }) => text[call.language]).join('; ') });
  }
}

const told = (what: Told): ConsoleReply => dataOf(what);
