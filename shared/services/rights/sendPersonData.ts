import { dataMessage } from '../../email/serviceMessages.ts';
import type { AskedForData } from '../../queue/confirmation.ts';
import { sendRequested } from '../confirmations/requestedMail.ts';
import { personJson } from './showPerson.ts';

/** Mails a person the data that is stored about them, after they requested it by their link. */
export async function sendPersonData(request: AskedForData, now: Date): Promise<void> {
  await sendRequested(request, now, async ({ workspace, known }) => {
    const { email } = known.person;
    const head = { object: 'person', email, workspace: workspace.name, exported_at: now.toISOString() };
    return dataMessage(workspace.language, workspace.name, email, { ...head, ...(await personJson(known)) });
  });
}
