import * as z from 'zod';
import type { Template } from '../../domain/template/template.ts';
import { templateKey } from '../table/keys.ts';
import type { Item } from '../table/table.ts';

const record = z.object({
  workspace_id: z.string(),
  template_id: z.string(),
  name: z.string(),
  subject: z.string().nullish(),
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** The attributes of a template's item. */
export type TemplateAttributes = Partial<Record<keyof z.input<typeof record>, unknown>>;

export function templateOf(item: Item): Template {
  const { workspace_id, template_id, created_at, updated_at, subject, ...rest } = record.parse(item);
  return {
    ...rest,
    workspaceId: workspace_id,
    id: template_id,
    subject: subject ?? null,
    createdAt: created_at,
    updatedAt: updated_at,
  };
}

export const templateItem = ({ workspaceId, id, createdAt, updatedAt, ...template }: Template): Item => ({
  ...templateKey(workspaceId, id),
  ...template,
  workspace_id: workspaceId,
  template_id: id,
  created_at: createdAt,
  updated_at: updatedAt,
});
