import { badRequest } from '../errors.ts';

export type TemplateData = Readonly<Record<string, unknown>>;
export type Rendered = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** Throws BadRequestException for what is no JSON object. */
export function parseTemplateData(text: string | null | undefined): TemplateData {
  if (text === null || text === undefined || text === '') return {};
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as TemplateData;
  } catch {
    // Falls through to the one answer for all that is no object.
  }
  throw badRequest('Template data must be a JSON object.');
}

/**
 * Inline templates know simple substitution only, and nothing is escaped. `{{ses:openTracker}}` is left for tracking.
 * https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Template.html
 */
export function renderTemplate(template: string, data: TemplateData): Rendered {
  let absent: string | null = null;
  const text = template.replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (placeholder, name: string) => {
    if (name === 'ses:openTracker') return placeholder;
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    if (value === undefined) absent ??= name;
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
  return absent === null
    ? { ok: true, text }
    : { ok: false, problem: `Attribute '${absent}' is not present in the rendering data.` };
}

/** A template with more than one open tracker is refused, as SES does. */
export function checkTemplate(template: string): void {
  if (template.split('{{ses:openTracker}}').length > 2) {
    throw badRequest('A template must not contain {{ses:openTracker}} more than once.');
  }
}
