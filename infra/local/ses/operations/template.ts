import { renderTemplate, type TemplateData } from '../mail/template.ts';
import type { Content, templateContent } from './content.ts';

type TemplateTexts = ReturnType<typeof templateContent>;
export type RenderedTexts =
  | { readonly ok: true; readonly texts: TemplateTexts }
  | { readonly ok: false; readonly problem: string };

/** Substitutes in subject and bodies; the first attribute that is not there is the problem. */
export function renderTexts({ subject, text, html }: TemplateTexts, data: TemplateData): RenderedTexts {
  const rendered = { subject, text, html };
  for (const key of ['subject', 'text', 'html'] as const) {
    const template = rendered[key];
    if (template === undefined) continue;
    const result = renderTemplate(template, data);
    if (!result.ok) return result;
    rendered[key] = result.text;
  }
  return { ok: true, texts: rendered };
}

/** Stands for the message that was never made when a template could not be rendered. */
export function unrenderedContent(): Content {
  const type = { value: 'text/plain', params: {} };
  const root = { headers: [], type, encoding: '7bit', headersEnd: 0, bodyStart: 0, bodyEnd: 0, children: [] };
  return { message: Buffer.alloc(0), root, shownHeaders: [] };
}
