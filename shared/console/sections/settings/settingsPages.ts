import type { ConsolePage } from '../../call.ts';
import { showAudit } from './internal/audit.ts';
import { saveBrand, showBrandSettings, showSample } from './internal/brand.ts';
import { saveGeneral, savePlan, showGeneral } from './internal/general.ts';
import { askRevoke, makeKey, revoke, showKeys } from './internal/keys.ts';
import { operatorsPath } from './internal/operators/grant.ts';
import { askEnd, askRemove, change, end, remove, showChange } from './internal/operators/operator.ts';
import { askSignOut, invite, makeLink, showOperators, signOutAll } from './internal/operators/operators.ts';
import { allowOrigin, forbidOrigin, saveForm, showFormSettings } from './internal/signUpForm.ts';

export const settingsPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/settings', verb: (call) => showGeneral(call) },
  { method: 'POST', path: '/settings', verb: saveGeneral },
  { method: 'GET', path: '/settings/keys', verb: (call) => showKeys(call) },
  { method: 'POST', path: '/settings/keys', verb: makeKey },
  { method: 'GET', path: '/settings/keys/{id}/revoke', needs: 'own', verb: askRevoke },
  { method: 'POST', path: '/settings/keys/{id}/revoke', verb: revoke },
  { method: 'GET', path: '/settings/brand', verb: (call) => showBrandSettings(call) },
  { method: 'POST', path: '/settings/brand', verb: saveBrand },
  { method: 'GET', path: '/settings/brand/sample', verb: showSample },
  { method: 'POST', path: '/settings/plan', verb: savePlan },
  { method: 'GET', path: '/settings/form', verb: (call) => showFormSettings(call) },
  { method: 'POST', path: '/settings/form', verb: saveForm },
  { method: 'POST', path: '/settings/form/allow', verb: allowOrigin },
  { method: 'POST', path: '/settings/form/forbid', verb: forbidOrigin },
  { method: 'GET', path: operatorsPath, verb: (call) => showOperators(call) },
  { method: 'POST', path: operatorsPath, verb: makeLink },
  { method: 'POST', path: `${operatorsPath}/invite`, verb: invite },
  { method: 'GET', path: `${operatorsPath}/sign-out`, needs: 'platform', verb: askSignOut },
  { method: 'POST', path: `${operatorsPath}/sign-out`, verb: signOutAll },
  { method: 'GET', path: `${operatorsPath}/at/{operator}/change`, needs: 'platform', verb: showChange },
  { method: 'POST', path: `${operatorsPath}/at/{operator}/change`, verb: change },
  { method: 'GET', path: `${operatorsPath}/at/{operator}/end`, needs: 'platform', verb: askEnd },
  { method: 'POST', path: `${operatorsPath}/at/{operator}/end`, verb: end },
  { method: 'GET', path: `${operatorsPath}/at/{operator}/remove`, needs: 'platform', verb: askRemove },
  { method: 'POST', path: `${operatorsPath}/at/{operator}/remove`, verb: remove },
  { method: 'GET', path: '/settings/audit', verb: showAudit },
];
