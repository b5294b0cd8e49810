import { ServiceError } from '../../contract/errors.ts';
import { secondsInDay } from '../../platform/clock.ts';
import { exportKey } from '../../store/files/keys.ts';
import { presignGet } from '../../store/files/presignGet.ts';
import type { Context } from '../context.ts';
import { getJob } from '../jobs/get.ts';
import { operatorVerb } from '../operators/verb.ts';

/** Whether the file of a job that is done is still there. */
export const isKept = (endedAt: string | null, now: Date): boolean =>
  endedAt !== null && now.getTime() - Date.parse(endedAt) < secondsInDay * 1000;

/** An address from which the file of an export is downloaded. Throws `not_found` when it is not there, or no more. */
export const downloadExport = operatorVerb(
  { action: 'export.download', needs: 'change', subject: ({ id }) => id },
  async (context: Context, { id }: { readonly id: string }): Promise<string> => {
    const { workspaceId, now } = context;
    const { work, state, endedAt } = await getJob(context, { id });
    const ending = work.kind === 'export' ? work.format : work.kind === 'personExport' ? 'json' : null;
    if (ending === null || state !== 'done' || !isKept(endedAt, now)) throw new ServiceError('not_found');
    const saveAs = `${work.kind === 'export' ? 'people' : 'person'}-${id}.${ending}`;
    return presignGet(exportKey(workspaceId, id), { saveAs, now });
  },
);
