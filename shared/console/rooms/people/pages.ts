import type { ConsolePage } from '../../call.ts';
import { findIn } from '../../frame/find.ts';
import { addPerson, editPerson, showAdd, showEdit } from './edit.ts';
import { importPages } from './import/pages.ts';
import { beginExport, downloadOne, showExports } from './jobs/exports.ts';
import { cancelOne, eraseOneAgain, liveJob, showJob } from './jobs/one.ts';
import { showPeople } from './list.ts';
import { showPersonPage } from './person.ts';
import { askErase, askUnsubscribe, eraseOne, exportOne, unsubscribeOne } from './rights.ts';

/** What has a name of its own before `{person}`: the first that fits is taken. */
export const peoplePages: readonly ConsolePage[] = [
  ...importPages,
  { method: 'POST', path: '/people', verb: findIn('/people') },
  { method: 'GET', path: '/people/export', verb: showExports },
  { method: 'POST', path: '/people/export', verb: beginExport },
  { method: 'GET', path: '/people/jobs/{id}', verb: (call) => showJob(call) },
  { method: 'GET', path: '/people/jobs/{id}/live', verb: liveJob },
  { method: 'GET', path: '/people/jobs/{id}/file', verb: downloadOne },
  { method: 'POST', path: '/people/jobs/{id}/cancel', verb: cancelOne },
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
