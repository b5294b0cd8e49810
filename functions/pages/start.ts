import { page } from '../../shared/http/page.ts';
import { showStart } from '../../shared/pages/start.ts';

export const handler = page('start', { GET: showStart });
