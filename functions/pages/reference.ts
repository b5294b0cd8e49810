import { page } from '../../shared/http/page.ts';
import { showReference } from '../../shared/pages/reference/referencePage.ts';

export const handler = page('reference', { GET: showReference });
