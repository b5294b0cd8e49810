import { updatePreferencesRoute } from '../../../shared/contract/routes/preferences.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { updatePreferences } from '../../../shared/services/preferences/subscriberPreferences.ts';

export const handler = http(updatePreferencesRoute, updatePreferences);
