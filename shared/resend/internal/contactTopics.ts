import * as z from 'zod';
import { ValidationError } from '../../contract/errors.ts';
import type { getPreferencesRoute, updatePreferencesRoute } from '../../contract/routes/preferences.ts';
import type { listTopicsRoute } from '../../contract/routes/topics.ts';
import { strictFields } from '../../contract/schemas/fields.ts';
import { textsOf } from '../../language/text.ts';
import { listOf, pageIn, pageQuery } from './lists.ts';
import {
  type ClientAnswer,
  type ClientCall,
  segment as inPath,
  type Resend,
  type Translation,
  translation,
} from './translation.ts';

const texts = textsOf({
  unknown: { en: 'is no topic of this workspace', fr: 'n’est pas un type d’e-mail de cet espace' },
});

/** What a person receives of topics, as the client gives it. The REST API checks the values. */
export const topicChoices = z
  .array(strictFields({ id: z.string().min(1).max(100), subscription: z.string().max(20) }))
  .max(100);
type TopicChoices = z.output<typeof topicChoices>;

const pathOf = (email: string) => `/api/v1/subscribers/${inPath(email)}/preferences` as const;

/** A workspace has fewer topics than a page entries. */
const topicsOf = async (call: ClientCall) =>
  (await call.rest<typeof listTopicsRoute>('GET', '/api/v1/topics', { query: { limit: 100 } })).data;

/** Throws for a topic that there is not, before anything is written. */
export async function requireTopics(call: ClientCall, choices: TopicChoices): Promise<void> {
  const known = new Set((await topicsOf(call)).map(({ id }) => id));
  const issues = choices.flatMap(({ id }, index) =>
    known.has(id) ? [] : [{ path: `topics[${index}].id`, text: texts.unknown }],
  );
  if (issues.length > 0) throw new ValidationError(issues);
}

/** Throws what the REST API refuses: nobody who left a topic is put back into it. */
export async function chooseTopics(
  call: ClientCall,
  email: string,
  topics: TopicChoices,
  fieldNames: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { body: { topics }, fieldNames };
  return (await call.rest<typeof updatePreferencesRoute>('PATCH', pathOf(email), options)).email;
}

async function list(
  call: ClientCall,
  page: z.output<typeof pageQuery>,
): Promise<ClientAnswer<Resend['contacts']['topics']['list']>> {
  const { topics } = await call.rest<typeof getPreferencesRoute>('GET', pathOf(call.parameter('contact')));
  const descriptions = new Map((await topicsOf(call)).map(({ id, description }) => [id, description]));
  const { entries, hasMore } = pageIn(topics, page, ({ id }) => id);
  const data = entries.map((topic) => ({ ...topic, description: descriptions.get(topic.id) ?? null }));
  return listOf(data, hasMore);
}

/** The client's body is the list itself. */
async function update(
  call: ClientCall,
  choices: TopicChoices,
): Promise<ClientAnswer<Resend['contacts']['topics']['update']>> {
  return { id: await chooseTopics(call, call.parameter('contact'), choices, { topics: '' }) };
}

const path = '/contacts/{contact}/topics';

export const contactTopicTranslations: readonly Translation[] = [
  translation({ method: 'GET', path, query: pageQuery, answer: (call, { query }) => list(call, query) }),
  translation({ method: 'PATCH', path, body: topicChoices, answer: (call, { body }) => update(call, body) }),
];
