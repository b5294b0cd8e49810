import { page } from '../../shared/http/page.ts';
import { decline, showDecline } from '../../shared/pages/notMe.ts';

export const handler = page('not-me', { GET: showDecline, POST: decline });
