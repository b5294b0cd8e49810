import type { ConsolePage } from '../../call.ts';
import { startSearch } from '../../layout/search.ts';
import { planOne } from './internal/imports/columns.ts';
import { beginOne, liveImport, reportOne, showImport, stopImport } from './internal/imports/import.ts';
import { addPiece, announceImport, showImports } from './internal/imports/upload.ts';
import { beginExport, downloadOne, showExports } from './internal/jobs/exports.ts';
import { eraseOneAgain, liveJob, showJob, stopJob } from './internal/jobs/job.ts';
import { showPeople } from './internal/peopleList.ts';
import { showPersonPage } from './internal/person.ts';
import { addPerson, editPerson, showAdd, showEdit } from './internal/personForm.ts';
import { askErase, askUnsubscribe, eraseOne, exportOne, unsubscribeOne } from './internal/rights.ts';

/** Literal paths come before `{person}`, because the first match is used. */
export const peoplePages: readonly ConsolePage[] = [
  { method: 'GET', path: '/people/import', verb: (call) => showImports(call, 'people') },
  { method: 'GET', path: '/suppression/import', verb: (call) => showImports(call, 'suppression') },
  { method: 'POST', path: '/people/import', verb: announceImport },
  { method: 'POST', path: '/people/import/{id}/pieces', verb: addPiece },
  { method: 'GET', path: '/people/import/{id}', verb: showImport },
  { method: 'POST', path: '/people/import/{id}', verb: planOne },
  { method: 'POST', path: '/people/import/{id}/begin', verb: beginOne },
  { method: 'POST', path: '/people/import/{id}/cancel', verb: stopImport },
  { method: 'GET', path: '/people/import/{id}/live', verb: liveImport },
  { method: 'GET', path: '/people/import/{id}/refused', verb: reportOne },
  { method: 'POST', path: '/people', verb: startSearch('/people') },
  { method: 'GET', path: '/people/export', verb: showExports },
  { method: 'POST', path: '/people/export', verb: beginExport },
  { method: 'GET', path: '/people/jobs/{id}', verb: (call) => showJob(call) },
  { method: 'GET', path: '/people/jobs/{id}/live', verb: liveJob },
  { method: 'GET', path: '/people/jobs/{id}/file', verb: downloadOne },
  { method: 'POST', path: '/people/jobs/{id}/cancel', verb: stopJob },
  { method: 'POST', path: '/people/jobs/{id}/erase', verb: eraseOneAgain },
  { method: 'GET', path: '/people', verb: showPeople },
  { method: 'GET', path: '/people/add', needs: 'change', verb: showAdd },
  { method: 'POST', path: '/people/add', verb: addPerson },
  { method: 'GET', path: '/people/at/{person}', verb: showPersonPage },
  { method: 'GET', path: '/people/at/{person}/edit', needs: 'change', verb: showEdit },
  { method: 'POST', path: '/people/at/{person}/edit', verb: editPerson },
  { method: 'GET', path: '/people/at/{person}/unsubscribe', needs: 'change', verb: askUnsubscribe },
  { method: 'POST', path: '/people/at/{person}/unsubscribe', verb: unsubscribeOne },
  { method: 'POST', path: '/people/at/{person}/export', verb: exportOne },
  { method: 'GET', path: '/people/at/{person}/erase', needs: 'own', verb: (call) => askErase(call) },
  { method: 'POST', path: '/people/at/{person}/erase', verb: eraseOne },
];
