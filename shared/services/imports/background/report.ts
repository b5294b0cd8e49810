import { ServiceError } from '../../../contract/errors.ts';
import { refusedReportKey } from '../../../store/files/keys.ts';
import { presignGet } from '../../../store/files/presignGet.ts';
import type { Context } from '../../context.ts';
import { findJob } from '../../jobs/find.ts';
import { operatorVerb } from '../../operators/verb.ts';

/** An address from which the lines that an import refused are downloaded. Throws `not_found` when there are none. */
export const importReport = operatorVerb(
  { action: 'import.report', needs: 'change', subject: ({ id }) => id },
  async ({ workspaceId, now }: Context, { id }: { readonly id: string }): Promise<string> => {
    const { state, work } = await findJob(workspaceId, id, 'import');
    if ((state !== 'done' && state !== 'failed') || work.progress.refused === 0) throw new ServiceError('not_found');
    const saveAs = `${id}-refused.csv`;
    return presignGet(refusedReportKey(workspaceId, id), { saveAs, now });
  },
);
