import type { Input, Output } from '../../contract/route.ts';
import type { deleteAutomationRoute, stopAutomationRoute } from '../../contract/routes/automations.ts';
import { overtaken, untilSettled } from '../../platform/deadline.ts';
import { deleteAutomation as removeAutomation, replaceAutomation } from '../../store/automation/automations.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operatorVerb.ts';
import { findWhole, type WholeAutomation } from './internal/automationRecord.ts';
import { beginJobs } from './internal/beginJobs.ts';

/** The head after which every open run has ended: each wake compares its epoch before it does anything. */
const ended = ({ head }: WholeAutomation, now: Date) => ({
  ...head,
  status: 'disabled' as const,
  epoch: head.epoch + 1,
  revision: head.revision + 1,
  updatedAt: now.toISOString(),
});

/** Disables an automation and ends its open runs: from the one write on, none of them begins a message. */
export const stopAutomation = /* @__PURE__ */ operatorVerb(
  { action: 'automation.stop', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (
    { workspaceId, now }: Context,
    { id }: Input<typeof stopAutomationRoute>,
  ): Promise<Output<typeof stopAutomationRoute>> =>
    untilSettled(async () => {
      const before = await findWhole(workspaceId, id);
      const head = ended(before, now);
      const after = { head, definition: before.definition };
      if (!(await replaceAutomation(before, after, { jobs: ['end'], at: now }))) return overtaken;
      await beginJobs(head);
      return { object: 'automation', id, status: 'disabled' };
    }),
);

/** Deletes an automation and ends its open runs, which stay readable. */
export const deleteAutomation = /* @__PURE__ */ operatorVerb(
  { action: 'automation.delete', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (
    { workspaceId, now }: Context,
    { id }: Input<typeof deleteAutomationRoute>,
  ): Promise<Output<typeof deleteAutomationRoute>> =>
    untilSettled(async () => {
      const before = await findWhole(workspaceId, id);
      const head = { ...ended(before, now), deletedAt: now.toISOString() };
      if (!(await removeAutomation(before, head, now))) return overtaken;
      await beginJobs(head);
      return { object: 'automation', id, deleted: true };
    }),
);
