import { page } from '../../shared/http/page.ts';
import { join, showForm } from '../../shared/pages/join.ts';

export const handler = page('join', { GET: showForm, POST: join });
