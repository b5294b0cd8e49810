import { failureTexts, tooLargeTexts } from '../contract/pageTexts.ts';
import type { Language } from '../language/languages.ts';
import type { PageReply } from './call.ts';
import { layout } from './layout.ts';

/**
 * 500, or 503 when the same request may soon succeed: says nothing of the inside, only what finds the failure in the log.
 */
export function failurePage(language: Language, reference: string, retryAfterSeconds?: number): PageReply {
  const document = layout({ language, workspace: null, notice: failureTexts, values: { reference } });
  return retryAfterSeconds === undefined ? { status: 500, document } : { status: 503, document, retryAfterSeconds };
}

/** 413: nobody who uses the form comes here. */
export function tooLargePage(language: Language): PageReply {
  return { status: 413, document: layout({ language, workspace: null, notice: tooLargeTexts }) };
}
