import { type Issue, ServiceError, summaryOf, ValidationError } from '../../contract/errors.ts';
import type { Input, Result } from '../../contract/route.ts';
import type { testCampaignRoute } from '../../contract/routes/campaignMessages.ts';
import { canonicalAddress } from '../../domain/address.ts';
import type { Context } from '../context.ts';
import { sendBatch } from '../emails/sendBatch.ts';
import { answerOnce } from '../keptAnswers.ts';
import { operatorVerb } from '../operatorVerb.ts';
import { personOf, requireVariant, testEmailOf, writtenMessage } from './previewCampaign.ts';

type TestRequest = Input<typeof testCampaignRoute>;

/**
 * Sends a campaign's message to several addresses as single emails marked as tests: all of them, or none if one is
 * refused. Under an Idempotency-Key a repeated call sends what an earlier one left, and its answer keeps no address.
 */
export async function testCampaign(
  context: Context,
  { idempotencyKey: key, ...given }: TestRequest,
): Promise<Result<typeof testCampaignRoute>> {
  const { id, variant = 1 } = given;
  const to = [...new Set(given.to.map((address) => canonicalAddress(address) ?? address))];
  const send = () => sendTests(context, { id, to, variant, key });
  const request = { route: 'campaigns.test', id, to, variant };
  const { answer, isReplay } =
    key === undefined ? { answer: await send(), isReplay: false } : await answerOnce(context, { key, request }, send);
  return {
    outcome: isReplay ? 'replayed' : 'accepted',
    output: { object: 'campaign_test', id, emails: answer.map((id, index) => ({ id, to: to[index] ?? '' })) },
  };
}

interface Tests {
  readonly id: string;
  /** In canonical form, each once. */
  readonly to: readonly string[];
  /** From 1 on. */
  readonly variant: number;
  readonly key: string | undefined;
}

/** The ids of the emails, in the order of the addresses. */
const sendTests = /* @__PURE__ */ operatorVerb(
  { action: 'campaign.test', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (context: Context, { id, to, variant, key }: Tests): Promise<string[]> => {
    const written = await writtenMessage(context, { id });
    requireVariant(written, variant);
    const people = await Promise.all(to.map((address) => personOf(context.workspaceId, address)));
    const entries = people.map((person, index) => ({
      value: { ...testEmailOf(written, variant - 1, person), to: to.slice(index, index + 1) },
    }));
    const { output } = await sendBatch(context, {
      entries,
      xBatchValidation: 'strict',
      ...(key !== undefined && { idempotencyKey: `campaign-test ${id} ${key}` }),
    }).catch(ofAddresses);
    return output.data.map((email) => email.id);
  },
);

/** Issues of the emails, at the addresses that they are for: `[1].to[0]` is `to[1]`. */
function ofAddresses(error: unknown): never {
  if (!(error instanceof ServiceError) || error.issues.length === 0) throw error;
  const issues = error.issues.map((issue): Issue => {
    const [, index, field = ''] = /^\[(\d+)\]\.?(.*)$/.exec(issue.path) ?? [];
    if (index === undefined) return issue;
    return { ...issue, path: /^to\b/.test(field) || field === '' ? `to[${index}]` : field };
  });
  if (error.code === 'validation_error') throw new ValidationError(issues);
  throw new ServiceError(error.code, { text: summaryOf(issues), details: error.details, issues });
}
