import type { Output } from '../../contract/route.ts';
import type { sendEmailRoute } from '../../contract/routes/emails.ts';
import type { WholeEmail } from './completing/wholeEmail.ts';

/** What a send answers; a replay is built the same way, so that both are equal. */
export function sentEmailOf(
  id: string,
  body: Pick<WholeEmail, 'from' | 'to' | 'subject'>,
  createdAt: string,
): Output<typeof sendEmailRoute> {
  return {
    id,
    object: 'email',
    from: body.from,
    to: [body.to].flat(),
    subject: body.subject,
    created_at: createdAt,
  };
}
