import type { Happening } from '../../domain/sending/happening.ts';
import type { Feedback } from '../../email/feedbackEvent.ts';
import { findAlias } from '../../store/suppression/blocks.ts';
import { type Batch, listenersOf } from './batch.ts';

/**
 * A report as it may be written down: whoever was erased is called by their alias in it. It costs nothing in a workspace
 * that has erased nobody, and else a read unit for each person of a report.
 */
export async function withoutErased(feedback: Feedback, batch: Batch): Promise<Feedback> {
  const { workspaceId } = feedback.origin;
  if (!feedback.happenings.some(namesSomebody)) return feedback;
  if (!(await listenersOf(batch, workspaceId)).hasErased) return feedback;
  const happenings = await Promise.all(
    feedback.happenings.map(async (happening): Promise<Happening> => {
      if (!namesSomebody(happening)) return happening;
      const alias = await findAlias(workspaceId, happening.recipient);
      return alias === null ? happening : withoutDiagnostic({ ...happening, recipient: alias });
    }),
  );
  return { ...feedback, happenings };
}

type Named = Extract<Happening, { readonly recipient: unknown }> & { readonly recipient: string };

const namesSomebody = (happening: Happening): happening is Named =>
  'recipient' in happening && happening.recipient !== null;

/** Receiving servers name the address in what they say. */
function withoutDiagnostic(happening: Named): Happening {
  if (happening.type === 'bounced') return { ...happening, bounce: { ...happening.bounce, diagnostic: null } };
  return happening.type === 'delivered' ? { ...happening, answer: null } : happening;
}
