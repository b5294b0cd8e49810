import { page } from '../../shared/http/page.ts';
import { showUnsubscription, unsubscribe } from '../../shared/pages/unsubscribe.ts';

export const handler = page('unsubscribe', { GET: showUnsubscription, POST: unsubscribe });
