import type { Language } from '../../../../language/languages.ts';
import type { Text } from '../../../../language/text.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { logger } from '../../../../platform/logger.ts';
import type { DeploymentContext } from '../../../../services/context.ts';
import { countDeadLetters, countUndelivered } from '../../../../services/queues.ts';
import { showRecentSendingAccount } from '../../../../services/sendingAccount.ts';
import { listWebhooks } from '../../../../services/webhooks/webhooks.ts';
import type { showWorkspace } from '../../../../services/workspaces/workspaces.ts';
import { type ConsoleCall, deploymentOf, may } from '../../../call.ts';
import { cardOf, numberOf } from '../../../layout/elements.ts';
import { pathOf } from '../../../paths.ts';
import { deadLettersPath, queueNamed } from '../../queues/queuePages.ts';
import { overviewTexts as texts } from './overviewTexts.ts';
import type { Running } from './runningCampaigns.ts';

type WorkspaceDetail = Awaited<ReturnType<typeof showWorkspace>>;

interface Concern {
  readonly tone: 'bad' | 'warn';
  readonly text: string;
  /** The next step. */
  readonly step?: { readonly label: Text; readonly path: string };
}

/** A workspace has at most 20 webhooks. */
const maxWebhooks = 20;

/** Everything that needs attention, the most serious first, each with its next step. */
export async function attentionCard(call: ConsoleCall, workspace: WorkspaceDetail, running: Running): Promise<Html> {
  const { language, context } = call;
  const [webhooks, account, deadLetters, undelivered] = await Promise.all([
    listWebhooks(context, { limit: maxWebhooks, after: undefined }),
    ofAllWorkspaces(call, showRecentSendingAccount),
    ofAllWorkspaces(call, countDeadLetters),
    ofAllWorkspaces(call, countUndelivered),
  ]);
  const concerns: Concern[] = [
    ...ofWorkspace(call, workspace),
    ...ofAccount(account, language),
    ...(deadLetters ?? []).map((queue) => ofQueue(queue, language)),
    ...(undelivered ?? []).map((queue): Concern => {
      return { tone: 'warn', text: countedText(texts.undeliveredOne, texts.undeliveredMany, queue, language) };
    }),
    ...webhooks.entries
      .filter(({ enabled, disabled_reason, failing_since }) => disabled_reason || (enabled && failing_since))
      .map(
        ({ id, name, disabled_reason }): Concern => ({
          tone: disabled_reason ? 'bad' : 'warn',
          text: (disabled_reason ? texts.failing : texts.failingNow)[language].replace('{name}', () => name),
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
      const link = step ? html` <a href="${pathOf(call, step.path)}">${step.label[language]}</a>` : null;
      return html`<div class="say ${tone}"><p>${text}${link}</p></div>\n`;
    });
  const body = shown.length === 0 ? html`<p class="soft">${texts.calm[language]}</p>` : html`${shown}`;
  return cardOf(texts.attention[language], body, 'wide');
}

function ofWorkspace(call: ConsoleCall, workspace: WorkspaceDetail): Concern[] {
  const { language } = call;
  const toDomains = { label: texts.toDomains, path: '/domains' };
  const toConfirmations = { label: texts.resumeConfirmations, path: '/confirmations/resume' };
  const unverified = workspace.domains.filter(({ verified }) => !verified).map(({ domain }) => domain);
  const isNoneVerified = unverified.length === workspace.domains.length;
  const suspended = may(call, 'platform')
    ? { text: texts.suspended[language], step: { label: texts.resume, path: '/resume' } }
    : { text: texts.suspendedByPlatform[language] };
  return [
    ...(workspace.sending.suspended ? [{ tone: 'bad', ...suspended } as const] : []),
    ...(workspace.confirmations.paused_until === null
      ? []
      : [{ tone: 'warn', text: texts.paused[language], ...(may(call, 'own') && { step: toConfirmations }) } as const]),
    ...(isNoneVerified ? [{ tone: 'bad', text: texts.noDomain[language], step: toDomains } as const] : []),
    ...(!isNoneVerified && unverified.length > 0
      ? [
          {
            tone: 'warn',
            text: filledText(texts.unverified, 'domains', unverified, language),
            step: toDomains,
          } as const,
        ]
      : []),
    ...(workspace.senders.length === 0
      ? [{ tone: 'warn', text: texts.noSender[language], step: toDomains } as const]
      : []),
    ...(workspace.used_this_month >= 0.9 * workspace.monthly_quota
      ? [{ tone: 'warn', text: texts.lowQuota[language] } as const]
      : []),
  ];
}

/** The text with the values in place of `{name}`. */
const filledText = (text: Text, name: string, values: readonly string[], language: Language): string =>
  text[language].replace(`{${name}}`, () => values.join(', '));

type Account = Awaited<ReturnType<typeof showRecentSendingAccount>>;

/** A result about the deployment, for operators of all workspaces. Null when AWS fails: the page has more to show. */
async function ofAllWorkspaces<Result>(
  call: ConsoleCall,
  ask: (context: DeploymentContext) => Promise<Result>,
): Promise<Result | null> {
  if (call.context.actor.workspaceId !== null) return null;
  return ask(deploymentOf(call)).catch((error: Error) => {
    logger.warn('The overview is shown without what AWS did not answer.', error);
    return null;
  });
}

type CountedQueue = Pick<Awaited<ReturnType<typeof countDeadLetters>>[number], 'queue' | 'messages'>;

const ofQueue = (queue: CountedQueue, language: Language): Concern => ({
  tone: 'bad',
  text: countedText(texts.failedOne, texts.failedMany, queue, language),
  step: { label: texts.toFailed, path: deadLettersPath },
});

function countedText(one: Text, many: Text, { queue, messages }: CountedQueue, language: Language): string {
  const text = filledText(messages === 1 ? one : many, 'queue', [queueNamed(queue, language)], language);
  return text.replace('{count}', () => numberOf(messages, language));
}

function ofAccount(account: Account | null, language: Language): Concern[] {
  if (!account) return [];
  const status = account.enforcement_status;
  return [
    ...(status && status !== 'HEALTHY'
      ? [{ tone: 'bad', text: filledText(texts.enforcement, 'status', [status], language) } as const]
      : []),
    ...(account.sandbox ? [{ tone: 'warn', text: texts.sandbox[language] } as const] : []),
  ];
}
