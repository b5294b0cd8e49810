import type { ConsolePage } from '../../call.ts';
import { showAudit } from './audit.ts';
import { saveBrand, showBrandSettings } from './brand.ts';
import { allowOrigin, forbidOrigin, saveForm, showFormSettings } from './form.ts';
import { saveGeneral, savePlan, showGeneral } from './general.ts';
import { askRevoke, makeKey, revoke, showKeys } from './keys.ts';
import { operatorPages } from './operators/pages.ts';

export const settingsPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/settings', verb: (call) => showGeneral(call) },
  { method: 'POST', path: '/settings', verb: saveGeneral },
  { method: 'GET', path: '/settings/keys', verb: (call) => showKeys(call) },
  { method: 'POST', path: '/settings/keys', verb: makeKey },
  { method: 'GET', path: '/settings/keys/{id}/revoke', needs: 'own', verb: askRevoke },
  { method: 'POST', path: '/settings/keys/{id}/revoke', verb: revoke },
  { method: 'GET', path: '/settings/brand', verb: (call) => showBrandSettings(call) },
  { method: 'POST', path: '/settings/brand', verb: saveBrand },
  { method: 'POST', path: '/settings/plan', verb: savePlan },
  { method: 'GET', path: '/settings/form', verb: (call) => showFormSettings(call) },
  { method: 'POST', path: '/settings/form', verb: saveForm },
  { method: 'POST', path: '/settings/form/allow', verb: allowOrigin },
  { method: 'POST', path: '/settings/form/forbid', verb: forbidOrigin },
  ...operatorPages,
  { method: 'GET', path: '/settings/audit', verb: showAudit },
];
