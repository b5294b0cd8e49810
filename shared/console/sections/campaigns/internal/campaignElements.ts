import { ServiceError, ValidationError } from '../../../../contract/errors.ts';
import { canonicalAddress } from '../../../../domain/address.ts';
import type { CampaignStatus } from '../../../../domain/campaign/campaign.ts';
import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { showSegment } from '../../../../services/segments.ts';
import { listTopics } from '../../../../services/topics.ts';
import type { ConsoleCall } from '../../../call.ts';
import { type Tone, tag } from '../../../layout/elements.ts';
import { campaignStatusTexts, campaignsTexts as texts } from './campaignTexts.ts';

/**
 * The address of the person whose view is shown, encrypted for the URL; undefined for an empty text. Throws
 * `validation_error` for an invalid address.
 */
export function sealedPerson(call: Pick<ConsoleCall, 'places'>, written: string): string | undefined {
  const sealed = sealedIfAddress(call, written);
  if (sealed === undefined && written.trim() !== '') {
    throw new ValidationError([{ path: 'as', text: texts.noAddress }]);
  }
  return sealed;
}

/** The same, but undefined for an invalid address: the message is then shown with its fallback values. */
export function sealedIfAddress({ places }: Pick<ConsoleCall, 'places'>, written: string): string | undefined {
  const email = canonicalAddress(written);
  return email === null ? undefined : places.seal(email);
}

/** The name of a campaign's audience. Of a deleted segment only the id is left. */
export async function audienceName({ context, language }: ConsoleCall, segmentId: string | null): Promise<string> {
  if (segmentId === null) return texts.everybody[language];
  try {
    return (await showSegment(context, { id: segmentId })).name;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return segmentId;
    throw error;
  }
}

/** Whom the topic of a campaign leaves out, in words beside the audience; null without a topic. */
export async function topicNoteOf({ context, language }: ConsoleCall, tag: string | null): Promise<Html | null> {
  if (tag === null) return null;
  const { entries } = await listTopics(context);
  const name = entries.find((topic) => topic.tag === tag)?.name;
  if (name === undefined) return null;
  return html` <span class="soft">${texts.withoutTopic[language].replace('{topic}', () => name)}</span>`;
}

export const campaignPath = (id: string): string => `/campaigns/${encodeURIComponent(id)}`;

const tones: Readonly<Record<CampaignStatus, Tone>> = {
  draft: 'plain',
  scheduled: 'warn',
  sending: 'warn',
  sent: 'good',
  archived: 'plain',
};

export const campaignTag = (status: CampaignStatus, language: Language): Html =>
  tag(campaignStatusTexts[status][language], tones[status]);

export const letterOf = (variant: number): string => 'ABCD'.charAt(variant);
