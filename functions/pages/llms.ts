import { page } from '../../shared/http/page.ts';
import { showLlms } from '../../shared/pages/llms.ts';

export const handler = page('llms', { GET: showLlms });
