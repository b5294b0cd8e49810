import { ServiceError } from '../../../contract/errors.ts';
import { showSegment } from '../../../services/segments/show.ts';
import type { ConsoleCall } from '../../call.ts';
import { campaignsTexts as texts } from './texts.ts';

/** To whom a campaign goes, in words: a segment by its name, which one that was deleted has no more. */
export async function audienceName({ context, language }: ConsoleCall, segmentId: string | null): Promise<string> {
  if (segmentId === null) return texts.everybody[language];
  try {
    return (await showSegment(context, { segment: segmentId })).name;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') return segmentId;
    throw error;
  }
}
