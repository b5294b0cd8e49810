import { ValidationError } from '../../../../contract/errors.ts';
import { canonicalAddress } from '../../../../domain/address/canonicalAddress.ts';
import type { Job } from '../../../../domain/job/job.ts';
import type { ErasureWork } from '../../../../domain/job/work.ts';
import { type Html, html } from '../../../../pages/html.ts';
import type { Context } from '../../../../services/context.ts';
import { personSubject } from '../../../../services/operators/personSubject.ts';
import { startErasure } from '../../../../services/rights/start.ts';
import { type ConsoleCall, may, placeOf } from '../../../call.ts';
import { type Filled, field, formOf } from '../../../frame/form.ts';
import { cardOf, momentOf, numberOf, tableOf } from '../../../frame/parts.ts';
import { jobPath, stateTag } from './parts.ts';
import { jobTexts as texts } from './texts.ts';

/** Erasures for whoever may begin one, by what stands for the person: one that failed is to be done again. */
export function erasuresCard(call: ConsoleCall, jobs: readonly Job[]): Html | null {
  const { language } = call;
  const erasures = jobs.flatMap(({ work, ...job }) => (work.kind === 'erasure' ? { ...job, work } : []));
  if (erasures.length === 0 || !may(call, 'own')) return null;
  const columns = [texts.whom, texts.state, texts.records, texts.began, texts.by].map((label, index) => ({
    label: label[language],
    isNumber: index === 2,
  }));
  const rows = erasures.map(({ id, state, work, createdAt, by }) => [
    html`<a href="${placeOf(call, jobPath(id))}">${work.alias === null ? texts.erasureTitle[language] : html`<code>${work.alias}</code>`}</a>`,
    stateTag(state, language),
    numberOf(work.records, language),
    momentOf(createdAt, language),
    html`<bdi>${by.name}</bdi>`,
  ]);
  return cardOf(texts.erasures[language], tableOf(texts.erasures[language], columns, rows));
}

/** Below an erasure that failed, which has kept no address. */
export function eraseAgainForm(call: ConsoleCall, { id }: Pick<Job, 'id'>, filled: Filled): Html {
  const { language } = call;
  const form = formOf(
    call,
    { action: placeOf(call, `${jobPath(id)}/erase`) },
    html`${field(filled, language, { name: 'typed', label: texts.address[language], type: 'email' })}<button>${texts.eraseAgain[language]}</button>`,
  );
  return html`<p>${texts.leftOver[language]}</p>${may(call, 'own') ? form : null}`;
}

/** Starts the erasure once more for the address that was given. Throws `validation_error` for another's. */
export async function eraseAgain(context: Context, { alias }: ErasureWork, typed: string): Promise<Job> {
  const email = canonicalAddress(typed);
  const isTheirs = email !== null && (alias === null || alias === (await personSubject(email)));
  if (!isTheirs) throw new ValidationError([{ path: 'typed', text: texts.anotherPerson }]);
  return startErasure(context, { email });
}
