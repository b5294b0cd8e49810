import { piecesOf } from '../../domain/job/work.ts';
import { inParallel } from '../../platform/parallel.ts';
import { deleteFile } from './delete.ts';
import { getFile } from './get.ts';
import { importPieceKey, refusedPieceKey, refusedReportKey } from './keys.ts';
import { putStream } from './multipart.ts';
import { putFile } from './put.ts';

/** Which file: that of a job of a workspace. */
export interface ImportFile {
  readonly workspaceId: string;
  readonly id: string;
}

const callsAtOnce = 16;

/** Writes a piece; again, it takes the place of the one before. */
export const putImportPiece = ({ workspaceId, id }: ImportFile, piece: number, bytes: Uint8Array): Promise<void> =>
  putFile(importPieceKey(workspaceId, id, piece), bytes);

/** Null when it is no more. */
export const getImportPiece = ({ workspaceId, id }: ImportFile, piece: number): Promise<Buffer | null> =>
  getFile(importPieceKey(workspaceId, id, piece));

export const putRefusedPiece = ({ workspaceId, id }: ImportFile, piece: number, text: string): Promise<void> =>
  putFile(refusedPieceKey(workspaceId, id, piece), Buffer.from(text));

/** One report of the pieces, under a header. A large import has tens of thousands: some are read side by side. */
export async function joinRefused({ workspaceId, id }: ImportFile, pieces: number, header: string): Promise<void> {
  async function* content(): AsyncGenerator<string> {
    yield header;
    for (let first = 0; first < pieces; first += callsAtOnce) {
      const length = Math.min(callsAtOnce, pieces - first);
      const keys = Array.from({ length }, (_, index) => refusedPieceKey(workspaceId, id, first + index));
      const files = await Promise.all(keys.map((key) => getFile(key)));
      yield files.map((file) => file?.toString('utf8') ?? '').join('');
    }
  }
  await putStream(refusedReportKey(workspaceId, id), content(), 'text/csv; charset=utf-8');
}

/** Deletes what an import that is over needs no more; its report stays. */
export async function dropImport({ workspaceId, id }: ImportFile, bytes: number, refusedPieces: number): Promise<void> {
  const keys = [
    ...Array.from({ length: piecesOf(bytes) }, (_, piece) => importPieceKey(workspaceId, id, piece)),
    ...Array.from({ length: refusedPieces }, (_, piece) => refusedPieceKey(workspaceId, id, piece)),
  ];
  await inParallel(callsAtOnce, keys, deleteFile);
}
