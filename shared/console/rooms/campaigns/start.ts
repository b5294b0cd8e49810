import { createCampaignRequest } from '../../../contract/schemas/campaign/create.ts';
import type { Block } from '../../../domain/campaign/content/block.ts';
import { html } from '../../../pages/html.ts';
import { createCampaign } from '../../../services/campaigns/create.ts';
import { listSenders } from '../../../services/senders/list.ts';
import { listTemplates } from '../../../services/templates/list.ts';
import { type ConsoleCall, type ConsoleReply, placeOf, redirect } from '../../call.ts';
import { type Filled, field, formOf, problemsOf, untouched } from '../../frame/form.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf, emptyOf, linkButton } from '../../frame/parts.ts';
import { checked, submitted } from '../../frame/submit.ts';
import { frameTexts } from '../../frame/texts.ts';
import { campaignPath } from './list.ts';
import { campaignsTexts as texts } from './texts.ts';

/** The newest of them; whoever has more finds the others by the API. */
const mostTemplates = 100;

export const showStart = (call: ConsoleCall): Promise<ConsoleReply> => startPage(call, untouched);

async function startPage(call: ConsoleCall, filled: Filled): Promise<ConsoleReply> {
  const { context, language } = call;
  const [senders, templates] = await Promise.all([
    listSenders(context),
    listTemplates(context, { limit: mostTemplates, after: undefined }),
  ]);
  const begin = [['', texts.blank[language]] as const, ...templates.entries.map(({ id, name }) => [id, name] as const)];
  const form = formOf(
    call,
    { action: placeOf(call, '/campaigns/add') },
    html`${field(filled, language, { name: 'name', label: texts.name[language], hint: texts.nameHint[language], required: true })}
${field(filled, language, { name: 'subject', label: texts.subject[language] })}
${field(filled, language, { name: 'template', label: texts.begin[language], options: begin })}
<p class="hint">${texts.startHint[language]}</p><button>${texts.create[language]}</button>`,
  );
  const domains = linkButton(texts.toDomains[language], placeOf(call, '/domains'), '');
  const body =
    senders.length === 0
      ? emptyOf(texts.add[language], texts.noSender[language], domains)
      : html`${problemsOf(filled, language, ['name', 'subject', 'template'])}${form}`;
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    room: 'campaigns',
    parent: { label: frameTexts.campaigns[language], path: '/campaigns' },
    title: texts.add[language],
    body: cardOf(null, body),
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

/** A draft from a template, or with a first line in which a merge field shows how they are written. */
export async function startCampaign(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, language } = call;
  const template = form.get('template') ?? '';
  const first: Block[] = [{ type: 'paragraph', text: texts.firstText[language] }];
  const act = async () => {
    const { id } = await createCampaign(
      context,
      checked(createCampaignRequest, {
        name: form.get('name')?.trim() ?? '',
        subject: form.get('subject')?.trim() || (template === '' ? '' : undefined),
        ...(template === '' ? { content: first } : { template: { id: template } }),
      }),
    );
    return redirect(placeOf(call, `${campaignPath(id)}/edit`));
  };
  return submitted(call, act, (filled) => startPage(call, filled));
}
