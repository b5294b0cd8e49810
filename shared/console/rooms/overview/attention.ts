import type { Language } from '../../../language/languages.ts';
import type { Text } from '../../../language/text.ts';
import { type Html, html } from '../../../pages/html.ts';
import { logger } from '../../../platform/logger.ts';
import { listCampaigns } from '../../../services/campaigns/list.ts';
import type { DeploymentContext } from '../../../services/context.ts';
import { listGivenUp } from '../../../services/queues/givenUp.ts';
import { showSendingAccountLately } from '../../../services/sending/accountLately.ts';
import { listWebhooks } from '../../../services/webhooks/list.ts';
import type { showWorkspace } from '../../../services/workspaces/show.ts';
import { type ConsoleCall, deploymentOf, may, placeOf } from '../../call.ts';
import { cardOf, numberOf } from '../../frame/parts.ts';
import { path as givenUpPath } from '../queues/list.ts';
import { queueNamed } from '../queues/names.ts';
import { overviewTexts as texts } from './texts.ts';

type Workspace = Awaited<ReturnType<typeof showWorkspace>>;
type Running = Awaited<ReturnType<typeof listCampaigns>>['entries'];

interface Concern {
  readonly tone: 'bad' | 'warn';
  readonly text: string;
  /** The next step. */
  readonly step?: { readonly label: Text; readonly path: string };
}

const most = 20;

/** Campaigns that are sending now. */
export async function runningCampaigns({ context }: ConsoleCall): Promise<Running> {
  return (await listCampaigns(context, { status: 'sending', limit: most, after: undefined })).entries;
}

/** Everything that somebody should see to, the worst first, each with what to do. */
export async function attentionCard(call: ConsoleCall, workspace: Workspace, running: Running): Promise<Html> {
  const { language, context } = call;
  const [webhooks, account, givenUp] = await Promise.all([
    listWebhooks(context, { limit: most, after: undefined }),
    ofAllWorkspaces(call, showSendingAccountLately),
    ofAllWorkspaces(call, listGivenUp),
  ]);
  const concerns: Concern[] = [
    ...ofWorkspace(call, workspace),
    ...ofAccount(account, language),
    ...(givenUp ?? []).map((given) => ofQueue(given, language)),
    ...webhooks.entries
      .filter(({ disabled_reason }) => disabled_reason === 'failing')
      .map(
        ({ id, name }): Concern => ({
          tone: 'bad',
          text: texts.failing[language].replace('{name}', () => name),
          step: { label: texts.toWebhook, path: `/webhooks/${id}` },
        }),
      ),
    ...running
      .filter(({ progress }) => progress?.paused)
      .map(
        ({ id, name }): Concern => ({
          tone: 'warn',
          text: texts.held[language].replace('{name}', () => name),
          step: { label: texts.toCampaign, path: `/campaigns/${id}` },
        }),
      ),
  ];
  const shown = concerns
    .sort((a, b) => Number(b.tone === 'bad') - Number(a.tone === 'bad'))
    .map(({ tone, text, step }) => {
      const link = step ? html` <a href="${placeOf(call, step.path)}">${step.label[language]}</a>` : null;
      return html`<div class="say ${tone}"><p>${text}${link}</p></div>\n`;
    });
  const body = shown.length === 0 ? html`<p class="soft">${texts.calm[language]}</p>` : html`${shown}`;
  return cardOf(texts.attention[language], body, 'wide');
}

function ofWorkspace(call: ConsoleCall, workspace: Workspace): Concern[] {
  const { language } = call;
  const toDomains = { label: texts.toDomains, path: '/domains' };
  const unverified = workspace.domains.filter(({ verified }) => !verified).map(({ domain }) => domain);
  const isNoneVerified = unverified.length === workspace.domains.length;
  const resume = may(call, 'own') ? { step: { label: texts.resume, path: '/resume' } } : {};
  return [
    ...(workspace.sending.suspended ? [{ tone: 'bad', text: texts.suspended[language], ...resume } as const] : []),
    ...(isNoneVerified ? [{ tone: 'bad', text: texts.noDomain[language], step: toDomains } as const] : []),
    ...(!isNoneVerified && unverified.length > 0
      ? [{ tone: 'warn', text: named(texts.unverified, 'domains', unverified, language), step: toDomains } as const]
      : []),
    ...(workspace.senders.length === 0
      ? [{ tone: 'warn', text: texts.noSender[language], step: toDomains } as const]
      : []),
    ...(workspace.used_this_month >= 0.9 * workspace.monthly_quota
      ? [{ tone: 'warn', text: texts.lowQuota[language] } as const]
      : []),
  ];
}

const named = (text: Text, name: string, values: readonly string[], language: Language): string =>
  text[language].replace(`{${name}}`, () => values.join(', '));

type Account = Awaited<ReturnType<typeof showSendingAccountLately>>;

/** What concerns the deployment, for operators of all of it. Null when AWS does not say: the page is about more. */
async function ofAllWorkspaces<Told>(
  call: ConsoleCall,
  ask: (context: DeploymentContext) => Promise<Told>,
): Promise<Told | null> {
  if (call.context.actor.workspaceId !== null) return null;
  return ask(deploymentOf(call)).catch((error: Error) => {
    logger.warn('The overview lacks what AWS did not say.', error);
    return null;
  });
}

type GivenUp = Awaited<ReturnType<typeof listGivenUp>>[number];

function ofQueue({ queue, messages }: GivenUp, language: Language): Concern {
  const text = named(
    messages === 1 ? texts.givenUpOne : texts.givenUp,
    'queue',
    [queueNamed(queue, language)],
    language,
  );
  const step = { label: texts.toGivenUp, path: givenUpPath };
  return { tone: 'bad', text: text.replace('{count}', () => numberOf(messages, language)), step };
}

function ofAccount(account: Account | null, language: Language): Concern[] {
  if (!account) return [];
  const status = account.enforcement_status;
  return [
    ...(status && status !== 'HEALTHY'
      ? [{ tone: 'bad', text: named(texts.enforcement, 'status', [status], language) } as const]
      : []),
    ...(account.sandbox ? [{ tone: 'warn', text: texts.sandbox[language] } as const] : []),
  ];
}
