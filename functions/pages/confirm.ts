import { page } from '../../shared/http/page.ts';
import { confirm, showConfirmation } from '../../shared/pages/confirm.ts';

export const handler = page('confirm', { GET: showConfirmation, POST: confirm });
