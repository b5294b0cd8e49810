import { page } from '../../shared/http/page.ts';
import { savePreferences, showPreferences } from '../../shared/pages/preferences.ts';

export const handler = page('preferences', { GET: showPreferences, POST: savePreferences });
