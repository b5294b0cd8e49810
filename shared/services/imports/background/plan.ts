import { ServiceError } from '../../../contract/errors.ts';
import type { Column } from '../../../domain/job/importColumn.ts';
import type { Job } from '../../../domain/job/job.ts';
import type { ImportWork } from '../../../domain/job/work.ts';
import type { SuppressionReason } from '../../../domain/person/suppression.ts';
import { changeJob } from '../../../store/job/jobs.ts';
import type { Context } from '../../context.ts';
import { findJob } from '../../jobs/find.ts';
import { operatorVerb } from '../../operators/verb.ts';
import { requireSender } from '../../subscribers/save.ts';
import { existingWorkspace } from '../../workspaces/existing.ts';
import { checkColumns } from './look.ts';

interface ImportPlan {
  readonly id: string;
  readonly columns: readonly Column[];
  /** True when the operator answers for the consent; null for a list of addresses that get no mail. */
  readonly consentGiven: boolean | null;
  readonly suppressAs: SuppressionReason | null;
}

/**
 * Notes what the columns of a file are and who answers for the consent, here and in the audit log; nothing is imported
 * yet. Throws `not_found`, `conflict` for an import that has begun, `validation_error`.
 */
export const planImport = operatorVerb(
  {
    action: 'subscriber.import.plan',
    needs: 'change',
    subject: ({ id }: ImportPlan) => id,
    note: ({ consentGiven, suppressAs }: ImportPlan) =>
      suppressAs === null ? (consentGiven ? 'consent_given' : 'double_opt_in') : `suppress: ${suppressAs}`,
  },
  async (context: Context, { id, columns, consentGiven, suppressAs }: ImportPlan): Promise<Job<ImportWork>> => {
    checkColumns(columns);
    if (consentGiven === false) requireSender(await existingWorkspace(context.workspaceId));
    const job = await findJob(context.workspaceId, id, 'import');
    const planned =
      job.state === 'preparing'
        ? await changeJob(job, { work: { ...job.work, columns: [...columns], consentGiven, suppressAs } })
        : null;
    if (!planned) throw new ServiceError('conflict');
    return planned;
  },
);
