import { ServiceError } from '../../contract/errors.ts';
import { overWork } from '../../domain/job/work.ts';
import { text } from '../../language/text.ts';
import { overtaken, untilSettled } from '../../platform/contention.ts';
import { changeJob } from '../../store/job/jobs.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { getJob } from './get.ts';

/** Stops a job where it stands: what is done stays done. One that is over stays as it is. Throws `not_found`. */
export const cancelJob = operatorVerb(
  { action: 'job.cancel', needs: 'change', subject: ({ id }) => id },
  (context: Context, { id }: { readonly id: string }) =>
    untilSettled(async () => {
      const job = await getJob(context, { id });
      if (job.state !== 'preparing' && job.state !== 'running') return job;
      if (job.work.kind === 'erasure') throw new ServiceError('conflict', { text: erasing });
      const over = { state: 'canceled', holder: null, dueAt: null, endedAt: context.now.toISOString() } as const;
      return (await changeJob(job, { ...over, work: overWork(job.work) })) ?? overtaken;
    }),
);

const erasing = text({
  en: 'What is erased cannot be brought back: an erasure runs to its end.',
  fr: 'Ce qui est effacé ne revient pas : un effacement va à son terme.',
});
