import { ServiceError } from '../../contract/errors.ts';
import type { Segment } from '../../domain/segment/segment.ts';
import { isId } from '../../domain/token/identifier.ts';
import { getSegment, listSegments } from '../../store/workspace/segments.ts';

/** A segment by its id, or by its name as an operator types it. Throws `not_found`. */
export async function findSegment(workspaceId: string, wanted: string): Promise<Segment> {
  const byId = isId('seg', wanted) ? await getSegment(workspaceId, wanted) : null;
  const found =
    byId ?? (await listSegments(workspaceId)).find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (found) return found;
  throw new ServiceError('not_found', {
    text: {
      en: `There is no segment "${wanted}" in this workspace.`,
      fr: `Il n’y a pas de segment « ${wanted} » dans cet espace.`,
    },
  });
}
