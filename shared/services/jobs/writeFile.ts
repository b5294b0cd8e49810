import type { ExportWork, PersonExportWork } from '../../domain/job/work.ts';
import { exportKey } from '../../store/files/keys.ts';
import { putStream } from '../../store/files/multipart.ts';
import type { Turn } from './turn.ts';

interface Piece {
  readonly text: string;
  readonly records: number;
}

/**
 * Writes the file of an export whole, and notes how far it is. Whoever dies at it has written nothing that anybody sees:
 * the next turn begins anew. Gives the number of records.
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
      yield piece.text;
    }
  }
  await putStream(exportKey(job.workspaceId, job.id), content(), type);
  return records;
}
