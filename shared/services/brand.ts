import { ServiceError, ValidationError } from '../contract/errors.ts';
import { defaultData, substitute } from '../domain/content/messageTemplate.ts';
import { readContent } from '../domain/content/readContent.ts';
import { renderTemplate } from '../domain/content/render.ts';
import { blocksOfText } from '../domain/content/textBlocks.ts';
import { type Brand, logoTypeOf } from '../domain/workspace/brand.ts';
import { type BrandChanges, brandProblems } from '../domain/workspace/brandChanges.ts';
import type { MailBrand } from '../domain/workspace/mailBrand.ts';
import type { Workspace } from '../domain/workspace/workspace.ts';
import { textsOf } from '../language/text.ts';
import { logger } from '../platform/logger.ts';
import { getBrand, putBrand } from '../store/workspace/publicPages.ts';
import type { Context } from './context.ts';
import { existingWorkspace } from './existingWorkspace.ts';
import { operatorVerb, requireOperator } from './operatorVerb.ts';
import { renderTemplatesAgain } from './templates.ts';

/** How the pages and the mail of a workspace look. */
export async function showBrand(context: Context): Promise<BrandJson> {
  requireOperator(context, 'read');
  const workspace = await existingWorkspace(context.workspaceId);
  return brandJson(workspace, await getBrand(workspace.id));
}

/**
 * Changes the brand, then renders the templates again. A campaign that is on its way keeps the look that it was frozen
 * with. Throws `validation_error` with every problem.
 */
export const setBrand = /* @__PURE__ */ operatorVerb(
  { action: 'brand.set', needs: 'change' },
  async (context: Context, { changes }: { readonly changes: BrandChanges }): Promise<BrandJson> => {
    const issues = brandProblems(changes);
    if (issues.length > 0) throw new ValidationError(issues);
    for (let tries = 0; tries < maxTries; tries += 1) {
      const workspace = await existingWorkspace(context.workspaceId, 'strong');
      const brand = changedBrand(await getBrand(workspace.id, 'strong'), changes);
      const mailBrand = changedMailBrand(workspace.mailBrand ?? {}, brand, changes);
      if (!(await putBrand(workspace, brand, mailBrand))) continue;
      const changed = { ...workspace, mailBrand };
      await renderTemplatesAgain(changed);
      return brandJson(changed, brand);
    }
    throw new ServiceError('conflict', { text: beingChanged, retryAfterSeconds: 1 });
  },
);

/** A message as it would look with these changes, as HTML. Nothing is stored; changes with a problem are left out. */
export async function sampleMessage(context: Context, changes: BrandChanges): Promise<string> {
  requireOperator(context, 'read');
  const workspace = await existingWorkspace(context.workspaceId);
  const wrong = new Set(brandProblems(changes).map(({ path }) => path.replace(/\[.*/, '')));
  const right = Object.fromEntries(Object.entries(changes).filter(([name]) => !wrong.has(name)));
  const stored = await getBrand(workspace.id);
  const brand = changedMailBrand(workspace.mailBrand ?? {}, changedBrand(stored, right), right);
  const { language } = context;
  const { blocks } = readContent(blocksOfText(sample.text[language]));
  const button = { type: 'button', label: sample.button[language], href: 'https://example.com/' } as const;
  const frame = { workspaceName: workspace.name, language, brand };
  const template = renderTemplate(
    { subject: '', preheader: null, blocks: [...blocks, ...readContent([button]).blocks] },
    frame,
  );
  return substitute(template.html, defaultData(template));
}

const sample = textsOf({
  text: {
    en: '# Autumn is here\n\nHello Ada, the new collection has arrived: warm colours, **soft wool**, and [coats for rain](https://example.com/coats).',
    fr: '# L’automne est là\n\nBonjour Ada, la nouvelle collection est arrivée\u00a0: des couleurs chaudes, de la **laine douce** et des [manteaux de pluie](https://example.com/manteaux).',
  },
  button: { en: 'See what is new', fr: 'Voir les nouveautés' },
});

const maxTries = 5;
const beingChanged = {
  en: 'The brand is being changed: try again.',
  fr: 'La marque est en cours de modification : réessayez.',
};

function changedBrand(before: Brand, { color, logo }: BrandChanges): Brand {
  const type = logo ? logoTypeOf(logo) : null;
  return {
    color: color === undefined ? before.color : (color?.toLowerCase() ?? null),
    logo: logo === undefined ? before.logo : logo && type && { type, content: Buffer.from(logo).toString('base64') },
  };
}

/** Null removes a value, an omitted one stays. The accent is the colour of the pages. */
function changedMailBrand(
  before: MailBrand,
  { color }: Brand,
  { color: _, logo: __, ...mail }: BrandChanges,
): MailBrand {
  const given = Object.entries({ ...mail, accent: color }).filter(([, value]) => value !== undefined);
  const all = Object.entries({ ...before, ...Object.fromEntries(given) });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

/** The brand for a public page; null, which gives a plain page, when it cannot be read. */
export async function brandOfPage({ id }: Pick<Workspace, 'id'>): Promise<Brand | null> {
  try {
    return await getBrand(id);
  } catch (error) {
    logger.warn('The brand of a workspace could not be read.', error as Error);
    return null;
  }
}

/** The brand as operators see it: of the embedded logo only its type and size. */
function brandJson({ id, mailBrand = {} }: Workspace, { color, logo }: Brand) {
  return {
    object: 'brand' as const,
    workspace_id: id,
    color,
    logo: logo && { content_type: logo.type, size: Buffer.from(logo.content, 'base64').length },
    background: mailBrand.background ?? null,
    text: mailBrand.text ?? null,
    font: mailBrand.font ?? null,
    width: mailBrand.width ?? null,
    align: mailBrand.align ?? null,
    logo_url: mailBrand.logoUrl ?? null,
    logo_width: mailBrand.logoWidth ?? null,
    name: mailBrand.name ?? null,
    address: mailBrand.address ?? null,
    links: mailBrand.links ?? [],
    requires_address: mailBrand.requiresAddress ?? false,
  };
}

export type BrandJson = ReturnType<typeof brandJson>;
