import type * as z from 'zod';
import { changeContact, readContact } from './contacts.ts';
import { listOf, pageIn, pageQuery } from './lists.ts';
import { segmentsWithTags, shownSegment, tagOfSegment } from './segments.ts';
import { type ClientAnswer, type ClientCall, type Resend, type Translation, translation } from './translation.ts';

async function listSegments(
  call: ClientCall,
  page: z.output<typeof pageQuery>,
): Promise<ClientAnswer<Resend['contacts']['segments']['list']>> {
  const { tags } = await readContact(call);
  const { entries, hasMore } = pageIn(await segmentsWithTags(call, tags), page, ({ id }) => id);
  return listOf(entries.map(shownSegment), hasMore);
}

const segmentInPath = (call: ClientCall) => tagOfSegment(call, call.parameter('segment'), 'segment_id');

async function addSegment(call: ClientCall): Promise<ClientAnswer<Resend['contacts']['segments']['add']>> {
  const tag = await segmentInPath(call);
  await changeContact(call, { add_tags: [tag] });
  return { id: tag };
}

async function removeSegment(call: ClientCall): Promise<ClientAnswer<Resend['contacts']['segments']['remove']>> {
  const tag = await segmentInPath(call);
  await changeContact(call, { remove_tags: [tag] });
  return { id: tag, audienceId: tag, deleted: true };
}

export const contactSegmentTranslations: readonly Translation[] = [
  translation({
    method: 'GET',
    path: '/contacts/{contact}/segments',
    query: pageQuery,
    answer: (call, { query }) => listSegments(call, query),
  }),
  translation({ method: 'POST', path: '/contacts/{contact}/segments/{segment}', answer: addSegment }),
  translation({ method: 'DELETE', path: '/contacts/{contact}/segments/{segment}', answer: removeSegment }),
];
