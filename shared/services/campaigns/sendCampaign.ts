import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import type { Input, Result } from '../../contract/route.ts';
import type { sendCampaignRoute } from '../../contract/routes/campaigns.ts';
import { readMailbox } from '../../domain/address.ts';
import type { Campaign, Freeze, Freezer } from '../../domain/campaign/campaign.ts';
import { runnersFor } from '../../domain/campaign/pace.ts';
import { adviceSentences } from '../../domain/content/adviceTexts.ts';
import { campaignRate, monthOf, plans } from '../../domain/sending/quota.ts';
import type { Text } from '../../language/text.ts';
import { config } from '../../platform/config.ts';
import { type StartResult, startSending } from '../../store/campaign/campaigns.ts';
import { type CampaignMessage, putMessage } from '../../store/campaign/frozenContent.ts';
import { getPace } from '../../store/campaign/pace.ts';
import { getMonth } from '../../store/quota/months.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { type AudienceBreakdown, breakDown, countAudience, select, shownBreakdown } from '../audience.ts';
import type { Context, SystemActor } from '../context.ts';
import { dispatchDeliveries } from '../events.ts';
import { existingWorkspace } from '../existingWorkspace.ts';
import { operatorVerb } from '../operatorVerb.ts';
import { isOfHold, requireOpenSending } from '../sendingHold.ts';
import { campaignExpiry } from './counters.ts';
import { campaignDeliveries } from './internal/campaignEvents.ts';
import {
  type CheckedCampaign,
  checkCampaign,
  checkRevision,
  checkSize,
  checkStatus,
  emptyAudience,
  quotaExceeded,
  suspended,
  tooFewPeople,
} from './internal/checks.ts';
import { writtenContent } from './internal/content.ts';
import { freezePeople } from './internal/freeze.ts';
import { adviceOn } from './internal/message.ts';
import { shownTarget, targetOfCampaign } from './internal/target.ts';
import { findCampaign } from './readCampaigns.ts';
import { wakeAll } from './runners.ts';

/** `revision`: the one that the operator looked at; a draft edited since then is refused. */
type SendInput = Input<typeof sendCampaignRoute> & { readonly revision?: number };

/** Freezes the recipients and starts the runners; with `dry_run`, tells what that would do. */
export async function sendCampaign(context: Context, input: SendInput): Promise<Result<typeof sendCampaignRoute>> {
  if (!input.dry_run) return sendNow(context, input);
  return {
    outcome: 'preview',
    output: await preview(context, await findCampaign(context.workspaceId, input.id), input),
  };
}

const sendNow = /* @__PURE__ */ operatorVerb(
  { action: 'campaign.send', needs: 'change', subject: ({ id }) => id, byKeys: 'unaudited' },
  async (context: Context, input: SendInput): Promise<Result<typeof sendCampaignRoute>> => {
    const campaign = await findCampaign(context.workspaceId, input.id);
    checkRevision(campaign, input.revision);
    const checked = await checkCampaign(context, campaign, input.to);
    await requireOpenSending();
    const { people: queued, audience } = await freezeAndStart(context, checked, 'call');
    return {
      outcome: 'queued',
      output: {
        id: campaign.id,
        object: 'campaign',
        status: 'sending',
        queued,
        target: shownTarget(checked.workspace, checked.segment, campaign.tag),
        ...(audience && { audience: shownBreakdown(audience) }),
        note: notes[context.language],
      },
    };
  },
);

const notes: Text = {
  en: 'Messages go out at the rate that the provider allows; read the campaign to follow them.',
  fr: 'Les messages partent à la cadence que le prestataire permet ; lisez la campagne pour les suivre.',
};

/** Sends a scheduled campaign at its time, to its whole target. */
export async function startCampaign(context: Context<SystemActor>, campaign: Campaign): Promise<void> {
  await freezeAndStart(context, await checkCampaign(context, campaign, undefined, 'scheduled'), 'worker');
}

/** Makes every check of a send. `blocked_reason` is the text that the send would be refused with. */
async function preview(context: Context, campaign: Campaign, { id, to }: SendInput) {
  const counted: { recipients: number | null; audience: AudienceBreakdown | null } = {
    recipients: null,
    audience: null,
  };
  let blocked: ServiceError | null = null;
  let checked: CheckedCampaign | null = null;
  try {
    checked = await checkCampaign(context, campaign, to);
    await count(context, checked, counted);
    await checkQuota(context, checked, counted.recipients ?? 0);
    checkSize(campaign, counted.recipients ?? 0, 'call');
    await requireOpenSending();
  } catch (error) {
    if (!(error instanceof ServiceError) || (error.code === 'internal_error' && !isOfHold(error))) throw error;
    blocked = error;
  }
  return {
    id,
    object: 'send_preview' as const,
    dry_run: true as const,
    would_send: blocked === null,
    blocked_reason: blocked?.text[context.language] ?? null,
    recipients: counted.recipients,
    target: checked ? shownTarget(checked.workspace, checked.segment, campaign.tag) : await targetOfCampaign(campaign),
    audience: counted.audience && shownBreakdown(counted.audience),
    from: campaign.from,
    subject: campaign.subject,
    warnings: await warningsOn(context, campaign, checked),
  };
}

/** What deserves a look before the send, and keeps nothing back. A campaign without a usable sender has no message. */
async function warningsOn({ workspaceId, language }: Context, campaign: Campaign, checked: CheckedCampaign | null) {
  const [workspace, content] = checked
    ? [checked.workspace, checked.content]
    : await Promise.all([existingWorkspace(workspaceId), writtenContent(campaign)]);
  if (content.variants.some(({ from }) => !readMailbox(from).ok)) return [];
  return adviceSentences(adviceOn(campaign, content, workspace), language)
    .filter(({ isFine }) => !isFine)
    .map(({ check, text }) => ({ code: check, message: text }));
}

async function count(
  { now }: Context,
  { target, campaign }: CheckedCampaign,
  counted: { recipients: number | null; audience: AudienceBreakdown | null },
): Promise<void> {
  if (target.to === null) counted.recipients = await countAudience(target, now);
  else {
    counted.audience = await breakDown({ ...target, to: target.to }, now);
    counted.recipients = counted.audience.retained;
  }
  checkCount(campaign, counted.recipients);
}

/** How many people it would reach now. Throws what a send at that time would be refused with. */
export async function countRecipients(context: Context, checked: CheckedCampaign, at: Date): Promise<number> {
  const recipients = await countAudience(checked.target, context.now);
  checkCount(checked.campaign, recipients);
  await checkQuota({ ...context, now: at }, checked, recipients);
  checkSize(checked.campaign, recipients, 'worker');
  return recipients;
}

function checkCount({ test }: Campaign, people: number): void {
  if (people === 0) throw emptyAudience();
  if (test && people < test.variants) throw tooFewPeople();
}

async function checkQuota(
  { workspaceId, now }: Context,
  { workspace }: CheckedCampaign,
  requested: number,
): Promise<void> {
  const limit = plans[workspace.plan].monthlyQuota;
  const { used } = await getMonth(workspaceId, monthOf(now));
  if (used + requested > limit) throw quotaExceeded({ limit, used, requested }, now);
}

/**
 * Freezes the recipients, then starts the campaign in one transaction: status, quota and suspension are checked and
 * changed together. A process that loses the race leaves chunks that are never read and expire.
 */
async function freezeAndStart(
  context: Context,
  checked: CheckedCampaign,
  freezer: Freezer,
): Promise<{ people: number; audience: AudienceBreakdown | null }> {
  const { now } = context;
  const { campaign, workspace, messages, target } = checked;
  const limit = plans[workspace.plan].monthlyQuota;
  const freezeId = randomUUID();
  const selection = select(target, now);
  const [{ groups, people, excluded }] = await Promise.all([
    freezePeople({ campaign, freezeId, at: now, freezer }, selection, limit),
    writeMessages(campaign, freezeId, messages, now),
  ]);
  checkCount(campaign, people);
  // Of those beyond the plan's quota none was frozen: the transaction refuses them.
  if (people <= limit) checkSize(campaign, people, freezer);
  const month = monthOf(now);
  const pace = await getPace();
  const runners = runnersFor(people, pace && campaignRate(pace.account.perSecond), config('CAMPAIGN_RUNNERS'));
  const freeze: Freeze = { id: freezeId, at: now.toISOString(), groups, runners, month };
  const started = { ...campaign, status: 'sending' as const, freeze, scheduleFailure: undefined };
  const deliveries = await campaignDeliveries('campaign.started', started, now);
  const result = await startSending(campaign, { freeze, limit, at: now, expiresAt: campaignExpiry(now) }, deliveries);
  if (result.kind !== 'started') throw await refusalOf(context, checked, people, result);
  await dispatchDeliveries(deliveries);
  await wakeAll({ ...campaign, freeze });
  const { requested, duplicates } = selection;
  return { people, audience: target.to && { requested, duplicates, retained: people, excluded } };
}

async function refusalOf(
  { workspaceId, now }: Context,
  { campaign, workspace }: CheckedCampaign,
  requested: number,
  result: Exclude<StartResult, { kind: 'started' }>,
): Promise<ServiceError> {
  switch (result.kind) {
    case 'no_room':
      return quotaExceeded({ limit: plans[workspace.plan].monthlyQuota, used: result.used, requested }, now);
    case 'moved':
      checkStatus(await findCampaign(workspaceId, campaign.id));
      return new ServiceError('conflict', { details: { status: 'draft' }, retryAfterSeconds: 1 });
    case 'suspended': {
      const suspension = (await getWorkspace(workspaceId))?.suspension;
      return suspension ? suspended(suspension) : new ServiceError('internal_error');
    }
  }
}

async function writeMessages(
  { workspaceId, id: campaignId }: Campaign,
  freezeId: string,
  messages: readonly CampaignMessage[],
  now: Date,
): Promise<void> {
  await Promise.all(
    messages.map((message, variant) =>
      putMessage({ workspaceId, campaignId, freezeId, variant }, message, campaignExpiry(now)),
    ),
  );
}
