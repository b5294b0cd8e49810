import { type Issue, ValidationError } from '../../contract/errors.ts';
import { problemsOfDraft, type WrittenDraft } from '../../contract/schemas/campaign/draft.ts';
import type { Campaign } from '../../domain/campaign/campaign.ts';
import type { CampaignContent } from '../../domain/campaign/content/content.ts';
import { peopleOfCall } from '../../domain/campaign/render/size.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { tooLarge } from './create.ts';
import { renderVariant } from './message.ts';

/** A campaign as its author writes it: record and content in one. */
export function draftOf(campaign: Campaign, { variants }: CampaignContent): WrittenDraft {
  const { name, segmentId, tag = null, track, test } = campaign;
  const { share, decideBy, waitHours } = test ?? {};
  return {
    name,
    segmentId,
    tag,
    track,
    variants,
    test: share !== undefined && decideBy && waitHours !== undefined ? { share, decideBy, waitHours } : null,
  };
}

/** What keeps an edited draft from going out: what `POST /campaigns` would have refused, since an editor saves it all. */
export function problemsOfCampaign(campaign: Campaign, content: CampaignContent, workspace: Workspace): Issue[] {
  if (!campaign.revision) return [];
  const issues = problemsOfDraft(draftOf(campaign, content));
  if (issues.length > 0) return issues;
  const isTooLarge = content.variants.some((variant) => peopleOfCall(renderVariant(variant, workspace)) === 0);
  return isTooLarge ? [{ path: 'content', text: tooLarge }] : [];
}

/** Throws `validation_error` with everything that is still missing. */
export function checkComplete(campaign: Campaign, content: CampaignContent, workspace: Workspace): void {
  const issues = problemsOfCampaign(campaign, content, workspace);
  if (issues.length > 0) throw new ValidationError(issues);
}
