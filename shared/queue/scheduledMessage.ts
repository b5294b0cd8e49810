import * as z from 'zod';

/** Its time has come: send what is scheduled for that moment. */
const message = z.object({
  kind: z.literal('send'),
  workspace_id: z.string(),
  email_id: z.string(),
  scheduled_at: z.string(),
});

export type ScheduledMessage = z.output<typeof message>;

export const parseScheduledMessage = (body: string): ScheduledMessage => message.parse(JSON.parse(body));
