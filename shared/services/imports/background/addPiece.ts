import { ServiceError } from '../../../contract/errors.ts';
import type { Job } from '../../../domain/job/job.ts';
import { type ImportWork, pieceBytes, piecesOf } from '../../../domain/job/work.ts';
import { text } from '../../../language/text.ts';
import { putImportPiece } from '../../../store/files/imports.ts';
import { changeJob } from '../../../store/job/jobs.ts';
import type { Context } from '../../context.ts';
import { findJob } from '../../jobs/find.ts';
import { requireOperator } from '../../requireOperator.ts';

interface Piece {
  readonly id: string;
  readonly piece: number;
  readonly bytes: Uint8Array;
}

/**
 * Takes a piece of a file, in their order; one that came before is taken for done, so that whoever heard no answer sends
 * it again. Throws `conflict` for one that is out of its turn, or of another size than its place in the file says.
 */
export async function addImportPiece(context: Context, { id, piece, bytes }: Piece): Promise<Job<ImportWork>> {
  requireOperator(context, 'change');
  const job = await findJob(context.workspaceId, id, 'import');
  const { work } = job;
  if (piece < work.received) return job;
  if (job.state !== 'preparing' || piece !== work.received || bytes.length !== sizeOf(work, piece)) throw outOfTurn();
  // The piece first: what is noted as received is there.
  await putImportPiece(job, piece, bytes);
  const received = await changeJob(job, { work: { ...work, received: piece + 1 } });
  if (!received) throw outOfTurn();
  return received;
}

const sizeOf = ({ bytes }: ImportWork, piece: number): number =>
  piece === piecesOf(bytes) - 1 ? bytes - piece * pieceBytes : pieceBytes;

export const isComplete = ({ bytes, received }: ImportWork): boolean => received === piecesOf(bytes);

const outOfTurn = () =>
  new ServiceError('conflict', {
    text: text({
      en: 'This is not the piece of the file that comes next: begin the upload anew.',
      fr: 'Ce n’est pas la partie attendue du fichier : recommencez l’envoi.',
    }),
  });
