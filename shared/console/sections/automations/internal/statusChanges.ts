import { ServiceError } from '../../../../contract/errors.ts';
import type { AutomationStatus } from '../../../../domain/automation/automation.ts';
import { html } from '../../../../pages/html.ts';
import { updateAutomation } from '../../../../services/automations/changeAutomations.ts';
import { deleteAutomation, stopAutomation } from '../../../../services/automations/endAutomations.ts';
import { type ConsoleCall, type ConsoleReply, may, redirect } from '../../../call.ts';
import { confirmationPage } from '../../../layout/confirmationPage.ts';
import { linkButton } from '../../../layout/elements.ts';
import { submitForm } from '../../../layout/form.ts';
import { pathOf } from '../../../paths.ts';
import { type AutomationDetail, automationPath, readAutomation } from './automation.ts';
import { questionTexts, automationsTexts as texts } from './automationTexts.ts';

/** What an operator can do to an automation, each after a question. */
const changes = ['enable', 'drain', 'disable', 'stop', 'remove'] as const;
type StatusChange = (typeof changes)[number];

const titles = {
  enable: questionTexts.enableTitle,
  drain: questionTexts.drainTitle,
  disable: questionTexts.disableTitle,
  stop: questionTexts.stopTitle,
  remove: questionTexts.removeTitle,
};
const consequences = {
  enable: questionTexts.enableWhat,
  drain: questionTexts.drainWhat,
  disable: questionTexts.disableWhat,
  stop: questionTexts.stopWhat,
  remove: questionTexts.removeWhat,
};

/** What is offered in each status. Runs may be left of one that is disabled, so it can be stopped too. */
const offered: Readonly<Record<AutomationStatus, readonly StatusChange[]>> = {
  disabled: ['enable', 'stop', 'remove'],
  enabled: ['drain', 'disable', 'stop', 'remove'],
  draining: ['enable', 'disable', 'stop', 'remove'],
};

export function changeButtons(call: ConsoleCall, { id, status }: AutomationDetail) {
  if (!may(call, 'change')) return null;
  return html`${offered[status].map((change) =>
    linkButton(
      texts[change][call.language],
      pathOf(call, `${automationPath(id)}/change/${change}`),
      change === 'enable' ? '' : 'plain',
    ),
  )}`;
}

function changeOf({ parameters }: ConsoleCall): StatusChange {
  const change = changes.find((one) => one === parameters.change);
  if (!change) throw new ServiceError('not_found');
  return change;
}

export async function askChange(call: ConsoleCall): Promise<ConsoleReply> {
  const change = changeOf(call);
  return question(call, await readAutomation(call), change);
}

function question(
  call: ConsoleCall,
  { id, name }: AutomationDetail,
  change: StatusChange,
  filled?: Parameters<typeof confirmationPage>[1]['filled'],
): ConsoleReply {
  const { language } = call;
  return confirmationPage(call, {
    section: 'automations',
    parent: { label: name, path: automationPath(id) },
    title: titles[change][language].replace('{name}', () => name),
    what: [consequences[change][language]],
    button: texts[change],
    isDangerous: change !== 'drain',
    action: `${automationPath(id)}/change/${change}`,
    ...(filled && { filled }),
  });
}

const statuses = { enable: 'enabled', drain: 'draining', disable: 'disabled' } as const;

export async function makeChange(call: ConsoleCall): Promise<ConsoleReply> {
  const change = changeOf(call);
  const automation = await readAutomation(call);
  const { id } = automation;
  return submitForm(
    call,
    async () => {
      if (change === 'remove') {
        await deleteAutomation(call.context, { id });
        return redirect(pathOf(call, '/automations', { done: 'deleted' }));
      }
      if (change === 'stop') await stopAutomation(call.context, { id });
      else await updateAutomation(call.context, { id, status: statuses[change] });
      return redirect(pathOf(call, automationPath(id), { done: 'saved' }));
    },
    (filled) => question(call, automation, change, filled),
  );
}
