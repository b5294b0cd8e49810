import * as z from 'zod';
import type { Output } from '../../contract/route.ts';
import type {
  createTemplateRoute,
  deleteTemplateRoute,
  getTemplateRoute,
  listTemplatesRoute,
  updateTemplateRoute,
} from '../../contract/routes/templates.ts';
import { strictFields } from '../../contract/schemas/fields.ts';
import { textsOf } from '../../language/text.ts';
import { listOf, pageAfter, pageQuery } from './lists.ts';
import {
  anything,
  type ClientAnswer,
  type ClientCall,
  segment as inPath,
  type Resend,
  type Translation,
  translation,
} from './translation.ts';

const texts = textsOf({
  sender: {
    en: 'is not kept with a template: give it to each email',
    fr: 'n’est pas conservé avec un modèle : donnez-le à chaque e-mail',
  },
  alias: {
    en: 'is not supported: templates have an id only',
    fr: 'n’est pas pris en charge : les modèles n’ont qu’un identifiant',
  },
});

type RestTemplate = Output<typeof getTemplateRoute>;

/** Ignoring one would send mail from another sender, or leave a name that finds nothing. */
const absent = (text: (typeof texts)[keyof typeof texts]) =>
  z
    .unknown()
    .refine((value) => value === null || value === undefined, { params: { text } })
    .transform(() => undefined)
    .optional();

const template = strictFields({
  ...Object.fromEntries(['name', 'subject', 'html', 'text', 'variables'].map((name) => [name, anything])),
  from: absent(texts.sender),
  reply_to: absent(texts.sender),
  alias: absent(texts.alias),
});

/** A template can be used as soon as it is written: it is published with each change. */
const summaryOf = ({
  id,
  name,
  created_at,
  updated_at,
}: Pick<RestTemplate, 'id' | 'name' | 'created_at' | 'updated_at'>) => ({
  ...{ id, name, created_at, updated_at },
  status: 'published' as const,
  published_at: updated_at,
  alias: null,
});

const pathOf = (call: ClientCall) => `/api/v1/templates/${inPath(call.parameter('id'))}` as const;

const read = (call: ClientCall) => call.rest<typeof getTemplateRoute>('GET', pathOf(call));

async function create(call: ClientCall, body: object): Promise<ClientAnswer<Resend['templates']['create']>> {
  const { id } = await call.rest<typeof createTemplateRoute>('POST', '/api/v1/templates', { body });
  return { object: 'template', id };
}

type ClientList = ClientAnswer<Resend['templates']['list']>;

async function list(call: ClientCall, page: z.output<typeof pageQuery>): Promise<ClientList> {
  const { entries, hasMore } = await pageAfter(
    page,
    ({ id }) => id,
    (part: { limit: number; cursor?: string }) =>
      call.rest<typeof listTemplatesRoute>('GET', '/api/v1/templates', { query: part }),
  );
  return listOf(entries.map(summaryOf), hasMore);
}

async function get(call: ClientCall): Promise<ClientAnswer<Resend['templates']['get']>> {
  const shown = await read(call);
  const { created_at, updated_at } = shown;
  return {
    object: 'template',
    ...summaryOf(shown),
    subject: shown.subject,
    html: shown.html ?? '',
    text: shown.text,
    variables: shown.variables.map((variable) => ({ ...variable, created_at, updated_at })),
    from: null,
    reply_to: null,
    has_unpublished_versions: false,
    current_version_id: String(shown.version),
  };
}

async function update(call: ClientCall, body: object): Promise<ClientAnswer<Resend['templates']['update']>> {
  const { id } = await call.rest<typeof updateTemplateRoute>('PATCH', pathOf(call), { body });
  return { object: 'template', id };
}

async function remove(call: ClientCall): Promise<ClientAnswer<Resend['templates']['remove']>> {
  const { id } = await call.rest<typeof deleteTemplateRoute>('DELETE', pathOf(call));
  return { object: 'template', id, deleted: true };
}

/** Nothing is left to be done, for a template that exists. */
async function publish(call: ClientCall): Promise<ClientAnswer<Resend['templates']['publish']>> {
  const { id } = await read(call);
  return { object: 'template', id };
}

const longestName = 200;

async function duplicate(call: ClientCall): Promise<ClientAnswer<Resend['templates']['duplicate']>> {
  const { name, subject, preheader, html, text, content, variables } = await read(call);
  const body = content === null ? { html, text } : { preheader, content };
  const suffix = ' (copy)';
  const copy = `${[...name].slice(0, longestName - suffix.length).join('')}${suffix}`;
  return create(call, { name: copy, subject, ...body, variables });
}

export const templateTranslations: readonly Translation[] = [
  translation({ method: 'POST', path: '/templates', body: template, answer: (call, { body }) => create(call, body) }),
  translation({ method: 'GET', path: '/templates', query: pageQuery, answer: (call, { query }) => list(call, query) }),
  translation({ method: 'GET', path: '/templates/{id}', answer: get }),
  translation({
    method: 'PATCH',
    path: '/templates/{id}',
    body: template,
    answer: (call, { body }) => update(call, body),
  }),
  translation({ method: 'DELETE', path: '/templates/{id}', answer: remove }),
  translation({ method: 'POST', path: '/templates/{id}/publish', answer: publish }),
  translation({ method: 'POST', path: '/templates/{id}/duplicate', answer: duplicate }),
];
