import { archiveCampaign, duplicateCampaign } from '../../../services/campaigns/drafts.ts';
import { cancelCampaign, pauseCampaign, resumeCampaign } from '../../../services/campaigns/pauseCampaign.ts';
import { getCampaign } from '../../../services/campaigns/readCampaigns.ts';
import { unscheduleCampaign } from '../../../services/campaigns/scheduleCampaign.ts';
import type { Context } from '../../../services/context.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, redirect } from '../../call.ts';
import { confirmationPage } from '../../layout/confirmationPage.ts';
import { numberOf } from '../../layout/elements.ts';
import type { doneTexts } from '../../layout/layoutTexts.ts';
import { pathOf } from '../../paths.ts';
import { showCampaign } from './internal/campaign.ts';
import { campaignPath } from './internal/campaignElements.ts';
import { showCampaigns, showStart, startCampaign } from './internal/campaignList.ts';
import { campaignsTexts as texts } from './internal/campaignTexts.ts';
import { showEditor } from './internal/editor/editorPage.ts';
import { autosaveEditor, choosePerson, saveEditor } from './internal/editor/saveDraft.ts';
import { exportRecipients, showRecipients } from './internal/outcome/recipients.ts';
import { findPreview, showMessage, showPreview } from './internal/preview.ts';
import { liveCampaign } from './internal/progress.ts';
import { showAudience } from './internal/sending/audience.ts';
import { showCheck } from './internal/sending/check.ts';
import { askSchedule, scheduleOne } from './internal/sending/schedule.ts';
import { askSend, sendOne } from './internal/sending/send.ts';
import { askTest, sendTest } from './internal/sending/testSend.ts';

type Act = (context: Context, input: { readonly id: string }) => Promise<{ readonly id: string }>;

/** Runs the verb, then shows the campaign that it returns: for a duplicate, the copy. */
const doing =
  (act: Act, done: keyof typeof doneTexts) =>
  async (call: ConsoleCall): Promise<ConsoleReply> => {
    const { id } = await act(call.context, { id: call.parameters.id ?? '' });
    return redirect(pathOf(call, campaignPath(id), { done }));
  };

async function askCancel(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters } = call;
  const { id, name, progress } = await getCampaign(context, { id: parameters.id ?? '' });
  const count = numberOf(progress?.waiting ?? 0, language);
  return confirmationPage(call, {
    section: 'campaigns',
    parent: { label: name, path: campaignPath(id) },
    title: texts.cancelTitle[language].replace('{name}', () => name),
    what: [texts.cancelWhat[language].replace('{count}', count)],
    button: texts.cancel,
    action: `${campaignPath(id)}/cancel`,
  });
}

async function askArchive(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters } = call;
  const { id, name } = await getCampaign(context, { id: parameters.id ?? '' });
  return confirmationPage(call, {
    section: 'campaigns',
    parent: { label: name, path: campaignPath(id) },
    title: texts.archiveTitle[language].replace('{name}', () => name),
    what: [texts.archiveWhat[language]],
    button: texts.archive,
    isDangerous: false,
    action: `${campaignPath(id)}/archive`,
  });
}

export const campaignPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/campaigns', verb: showCampaigns },
  { method: 'GET', path: '/campaigns/add', verb: showStart },
  { method: 'POST', path: '/campaigns/add', verb: startCampaign },
  { method: 'GET', path: '/campaigns/{id}', verb: showCampaign },
  { method: 'GET', path: '/campaigns/{id}/live', verb: liveCampaign },
  { method: 'GET', path: '/campaigns/{id}/edit', verb: showEditor },
  { method: 'POST', path: '/campaigns/{id}/edit', verb: saveEditor },
  { method: 'POST', path: '/campaigns/{id}/edit/save', verb: autosaveEditor },
  { method: 'POST', path: '/campaigns/{id}/edit/as', verb: choosePerson },
  { method: 'GET', path: '/campaigns/{id}/check', verb: showCheck },
  { method: 'GET', path: '/campaigns/{id}/audience', verb: showAudience },
  { method: 'GET', path: '/campaigns/{id}/test', verb: askTest },
  { method: 'POST', path: '/campaigns/{id}/test', verb: sendTest },
  { method: 'GET', path: '/campaigns/{id}/send', verb: (call) => askSend(call) },
  { method: 'POST', path: '/campaigns/{id}/send', verb: sendOne },
  { method: 'GET', path: '/campaigns/{id}/schedule', verb: (call) => askSchedule(call) },
  { method: 'POST', path: '/campaigns/{id}/schedule', verb: scheduleOne },
  { method: 'GET', path: '/campaigns/{id}/people', verb: showRecipients },
  { method: 'POST', path: '/campaigns/{id}/people/export', verb: exportRecipients },
  { method: 'GET', path: '/campaigns/{id}/preview', verb: showPreview },
  { method: 'POST', path: '/campaigns/{id}/preview', verb: findPreview },
  { method: 'GET', path: '/campaigns/{id}/message', verb: showMessage },
  { method: 'POST', path: '/campaigns/{id}/pause', verb: doing(pauseCampaign, 'paused') },
  { method: 'POST', path: '/campaigns/{id}/resume', verb: doing(resumeCampaign, 'resumed') },
  { method: 'POST', path: '/campaigns/{id}/unschedule', verb: doing(unscheduleCampaign, 'saved') },
  { method: 'POST', path: '/campaigns/{id}/duplicate', verb: doing(duplicateCampaign, 'duplicated') },
  { method: 'GET', path: '/campaigns/{id}/cancel', verb: askCancel },
  { method: 'POST', path: '/campaigns/{id}/cancel', verb: doing(cancelCampaign, 'canceled') },
  { method: 'GET', path: '/campaigns/{id}/archive', verb: askArchive },
  { method: 'POST', path: '/campaigns/{id}/archive', verb: doing(archiveCampaign, 'archived') },
];
