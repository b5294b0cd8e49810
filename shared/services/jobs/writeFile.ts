import { ServiceError } from '../../contract/errors.ts';
import type { ExportWork, PersonExportWork } from '../../domain/job/work.ts';
import { text } from '../../language/text.ts';
import { exportKey } from '../../store/files/keys.ts';
import { putStream } from '../../store/files/multipart.ts';
import type { Turn } from './turn.ts';

/** One without a text says that it goes on. */
interface Piece {
  readonly text: string;
  readonly records: number;
}

/**
 * Writes the file of an export whole, and notes how far it is. Whoever dies at it has written nothing that anybody sees:
 * the next turn begins anew. Gives the number of records. Throws `conflict` when a turn is too short for it.
 */
export async function writeFile<Work extends ExportWork | PersonExportWork>(
  turn: Turn<Work>,
  pieces: AsyncIterable<Piece>,
  type: string,
): Promise<number> {
  const { job } = turn;
  let records = 0;
  async function* content(): AsyncGenerator<string> {
    for await (const piece of pieces) {
      records += piece.records;
      await turn.noteSometimes({ ...job.work, records });
      if (turn.isOver()) throw tooLong();
      if (piece.text !== '') yield piece.text;
    }
  }
  await putStream(exportKey(job.workspaceId, job.id), content(), type);
  return records;
}

/** Another turn would begin at the beginning, and be as long. */
const tooLong = () =>
  new ServiceError('conflict', {
    text: text({
      en: 'The file could not be written within a quarter of an hour, and longer it may not take here. Export fewer people at a time, or ask whoever runs this service for it.',
      fr: 'Le fichier n’a pas pu être écrit en un quart d’heure, le plus long qu’il puisse prendre ici. Exportez moins de personnes à la fois, ou demandez-le à qui exploite ce service.',
    }),
  });
