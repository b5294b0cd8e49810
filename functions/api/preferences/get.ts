import { getPreferencesRoute } from '../../../shared/contract/routes/preferences.ts';
import { http } from '../../../shared/http/endpoint.ts';
import { getPreferences } from '../../../shared/services/preferences/subscriberPreferences.ts';

export const handler = http(getPreferencesRoute, getPreferences);
