import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../contract/errors.ts';
import type { Input, Result } from '../../contract/route.ts';
import type { sendCampaignRoute } from '../../contract/routes/campaigns.ts';
import type { Campaign, Freeze } from '../../domain/campaign/campaign.ts';
import { campaignRate } from '../../domain/campaign/pace.ts';
import { monthOf, plans } from '../../domain/sending/plan.ts';
import type { Text } from '../../language/text.ts';
import { type StartResult, startSending } from '../../store/campaign/campaigns.ts';
import { type CampaignMessage, putMessage } from '../../store/campaign/messages.ts';
import { getPace } from '../../store/campaign/pace.ts';
import { getMonth } from '../../store/sending/usage.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { type AudienceBreakdown, breakDown, shownBreakdown } from '../audience/breakdown.ts';
import { countAudience } from '../audience/count.ts';
import { select } from '../audience/select.ts';
import type { Context, SystemActor } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { type CheckedCampaign, checkCampaign } from './checkCampaign.ts';
import { findCampaign } from './find.ts';
import { freezePeople } from './freeze.ts';
import { checkRevision, checkStatus, emptyAudience, quotaExceeded, suspended, tooFewPeople } from './refusals.ts';
import { campaignExpiry } from './run/retention.ts';
import { wakeAll } from './run/wake.ts';

/** `revision`: what an operator looked at before they sent it; what was edited since is refused. */
type SendInput = Input<typeof sendCampaignRoute> & { readonly revision?: number };

/** Freezes and queues, or says what that would do. */
export async function sendCampaign(context: Context, input: SendInput): Promise<Result<typeof sendCampaignRoute>> {
  if (!input.dry_run) return sendNow(context, input);
  return {
    outcome: 'preview',
    output: await preview(context, await findCampaign(context.workspaceId, input.id), input),
  };
}

const sendNow = operatorVerb(
  { action: 'campaign.send', needs: 'change', subject: ({ id }) => id, byKeys: true },
  async (context: Context, input: SendInput): Promise<Result<typeof sendCampaignRoute>> => {
    const campaign = await findCampaign(context.workspaceId, input.id);
    checkRevision(campaign, input.revision);
    const checked = await checkCampaign(context, campaign, input.to);
    const { people: queued, audience } = await freezeAndStart(context, checked);
    return {
      outcome: 'queued',
      output: {
        id: campaign.id,
        object: 'campaign',
        status: 'sending',
        queued,
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

/** Sends a campaign whose time has come, to its whole target. */
export async function startCampaign(context: Context<SystemActor>, campaign: Campaign): Promise<void> {
  await freezeAndStart(context, await checkCampaign(context, campaign, undefined, 'scheduled'));
}

/** Every check of a real send; a refusal is told in the very words that it would have. */
async function preview(context: Context, campaign: Campaign, { id, to }: SendInput) {
  const counted: { recipients: number | null; audience: AudienceBreakdown | null } = {
    recipients: null,
    audience: null,
  };
  let blocked: ServiceError | null = null;
  try {
    const checked = await checkCampaign(context, campaign, to);
    await count(context, checked, counted);
    await checkRoom(context, checked, counted.recipients ?? 0);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'internal_error') throw error;
    blocked = error;
  }
  return {
    id,
    object: 'send_preview' as const,
    dry_run: true as const,
    would_send: blocked === null,
    blocked_reason: blocked?.text[context.language] ?? null,
    recipients: counted.recipients,
    audience: counted.audience && shownBreakdown(counted.audience),
  };
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

function checkCount({ test }: Campaign, people: number): void {
  if (people === 0) throw emptyAudience();
  if (test && people < test.variants) throw tooFewPeople();
}

async function checkRoom(
  { workspaceId, now }: Context,
  { workspace }: CheckedCampaign,
  requested: number,
): Promise<void> {
  const limit = plans[workspace.plan].monthlyQuota;
  const { used } = await getMonth(workspaceId, monthOf(now));
  if (used + requested > limit) throw quotaExceeded({ limit, used, requested }, now);
}

/**
 * Freezes the people and decides in one transaction: from draft to sending with these people, the quota taken, the
 * workspace not suspended. Whoever loses leaves chunks that nobody reads and that expire.
 */
async function freezeAndStart(
  context: Context,
  checked: CheckedCampaign,
): Promise<{ people: number; audience: AudienceBreakdown | null }> {
  const { now } = context;
  const { campaign, workspace, messages, target } = checked;
  const limit = plans[workspace.plan].monthlyQuota;
  const freezeId = randomUUID();
  const selection = select(target, now);
  const [{ groups, people, excluded }] = await Promise.all([
    freezePeople({ campaign, freezeId, at: now }, selection, limit),
    writeMessages(campaign, freezeId, messages, now),
  ]);
  checkCount(campaign, people);
  const month = monthOf(now);
  const freeze: Freeze = { id: freezeId, at: now.toISOString(), groups, runners: await runnersFor(people), month };
  const result = await startSending(campaign, { freeze, limit, at: now, expiresAt: campaignExpiry(now) });
  if (result.kind !== 'started') throw await refusalOf(context, checked, people, result);
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
      const standing = (await getWorkspace(workspaceId))?.suspension;
      return standing ? suspended(standing) : new ServiceError('internal_error');
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

/** With a third of a processor a call of 50 takes a runner some 300 ms, half of them the provider's; with some to spare. */
const peopleASecondOfRunner = 100;
const [fewestRunners, mostRunners] = [2, 8];

/**
 * As many as the account's rate keeps busy; never more than there are chunks of people. Few while the rate is not known,
 * as for a deployment's first campaign: too many would be turned away again and again, and each time pay for their turn.
 */
async function runnersFor(people: number): Promise<number> {
  const pace = await getPace();
  const busy = pace ? Math.ceil(campaignRate(pace.account.perSecond) / peopleASecondOfRunner) : fewestRunners;
  const wanted = Math.min(mostRunners, Math.max(fewestRunners, busy));
  return Math.min(wanted, Math.max(1, Math.ceil(people / 500)));
}
