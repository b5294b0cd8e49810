import type { SendEmailRequest } from '../../contract/schemas/email.ts';
import type { Reply } from '../../http/call.ts';

/** The 202 of a send; a replay is built the same way, so that both are equal. */
export function acceptedReply(id: string, body: SendEmailRequest, createdAt: string): Reply {
  return {
    status: 202,
    body: {
      id,
      object: 'email',
      from: body.from,
      to: [body.to].flat(),
      subject: body.subject,
      created_at: createdAt,
    },
  };
}
