import { ValidationError } from '../../contract/errors.ts';
import type { Output } from '../../contract/route.ts';
import type {
  createSegmentRoute,
  deleteSegmentRoute,
  getSegmentRoute,
  listSegmentsRoute,
  updateSegmentRoute,
} from '../../contract/routes/segments.ts';
import { strictFields } from '../../contract/schemas/fields.ts';
import { canonicalJson } from '../../domain/encoding.ts';
import { textsOf } from '../../language/text.ts';
import { listOf, pageQuery } from './lists.ts';
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
  rule: {
    en: 'is a segment with a rule, which decides who belongs to it: people are added to and removed from segments that were created by this client only',
    fr: 'est un segment à règle, qui décide de qui en fait partie : on n’ajoute et ne retire des personnes que dans les segments créés par ce client',
  },
  people: {
    en: 'is not supported: the people of a segment are not listed',
    fr: 'n’est pas pris en charge : les personnes d’un segment ne sont pas énumérées',
  },
});

type RestSegment = Output<typeof getSegmentRoute>;

/** Matches no person: the rule of a new segment until its id is known. */
const nobody = { all: [{ tag: 'nobody' }, { not: { tag: 'nobody' } }] };

const pathOf = (id: string) => `/api/v1/segments/${inPath(id)}` as const;

const read = (call: ClientCall, id: string) => call.rest<typeof getSegmentRoute>('GET', pathOf(id));

/** Gives a segment of this client its rule, the tag that is its id. A call that ended between the two writes is made good. */
async function withOwnTag(call: ClientCall, segment: RestSegment): Promise<RestSegment> {
  if (canonicalJson(segment.rule) !== canonicalJson(nobody)) return segment;
  const body = { rule: { tag: segment.id } };
  return call.rest<typeof updateSegmentRoute>('PATCH', pathOf(segment.id), { body });
}

/** The tag that puts people into a segment: its id. Throws for a segment with another rule. `field` named it. */
export async function tagOfSegment(call: ClientCall, id: string, field: string): Promise<string> {
  const segment = await withOwnTag(call, await read(call, id));
  if (isOfTag(segment)) return segment.id;
  throw new ValidationError([{ path: field, text: texts.rule }]);
}

const isOfTag = ({ id, rule }: RestSegment): boolean => canonicalJson(rule) === canonicalJson({ tag: id });

/** The segments that people with these tags were put into, newest first. */
export async function segmentsWithTags(call: ClientCall, tags: readonly string[]): Promise<RestSegment[]> {
  const found: RestSegment[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { limit: 100, ...(cursor && { cursor }) };
    const page = await call.rest<typeof listSegmentsRoute>('GET', '/api/v1/segments', { query });
    found.push(...page.data.filter((one) => isOfTag(one) && tags.includes(one.id)));
    cursor = page.next_cursor;
  }
  return found;
}

export const shownSegment = ({ id, name, created_at }: RestSegment) => ({ id, name, created_at });

async function create(call: ClientCall, body: object): Promise<ClientAnswer<Resend['segments']['create']>> {
  const created = await call.rest<typeof createSegmentRoute>('POST', '/api/v1/segments', {
    body: { ...body, rule: nobody },
    headers: ['idempotency-key'],
  });
  // A replayed answer says nothing of the segment as it is now, which may have a rule of its owner's by then.
  const isReplayed = call.answerHeaders['Idempotent-Replay'] === 'true';
  const { id, name } = await withOwnTag(call, isReplayed ? await read(call, created.id) : created);
  return { object: 'segment', id, name };
}

async function list(
  call: ClientCall,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<ClientAnswer<Resend['segments']['list']>> {
  const page = await call.rest<typeof listSegmentsRoute>('GET', '/api/v1/segments', { query: { limit, after } });
  return listOf(page.data.map(shownSegment), page.has_more);
}

async function get(call: ClientCall): Promise<ClientAnswer<Resend['segments']['get']>> {
  return { object: 'segment', ...shownSegment(await read(call, call.parameter('id'))) };
}

async function rename(call: ClientCall, body: object): Promise<ClientAnswer<Resend['segments']['update']>> {
  const { id } = await call.rest<typeof updateSegmentRoute>('PATCH', pathOf(call.parameter('id')), { body });
  return { object: 'segment', id };
}

async function remove(call: ClientCall): Promise<ClientAnswer<Resend['segments']['remove']>> {
  const { id } = await call.rest<typeof deleteSegmentRoute>('DELETE', pathOf(call.parameter('id')));
  return { object: 'segment', id, deleted: true };
}

const name = strictFields({ name: anything });

/** The client's `audiences` are its segments. */
export const segmentTranslations: readonly Translation[] = [
  translation({ method: 'POST', path: '/segments', body: name, answer: (call, { body }) => create(call, body) }),
  translation({ method: 'GET', path: '/segments', query: pageQuery, answer: (call, { query }) => list(call, query) }),
  translation({ method: 'GET', path: '/segments/{id}', answer: get }),
  translation({ method: 'PATCH', path: '/segments/{id}', body: name, answer: (call, { body }) => rename(call, body) }),
  translation({ method: 'DELETE', path: '/segments/{id}', answer: remove }),
  translation({
    method: 'GET',
    path: '/segments/{id}/contacts',
    query: pageQuery,
    answer: () => {
      throw new ValidationError([{ path: 'segment_id', text: texts.people }]);
    },
  }),
];
