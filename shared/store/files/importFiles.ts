import { piecesOf } from '../../domain/job.ts';
import { inParallel } from '../../platform/parallel.ts';
import {
  deleteFile,
  getFile,
  importPieceKey,
  putFile,
  putStream,
  refusedPieceKey,
  refusedReportKey,
} from './bucket.ts';

/** The file of an import job. */
export interface ImportFile {
  readonly workspaceId: string;
  readonly id: string;
}

const callsAtOnce = 16;

/** Writes a piece, replacing an earlier one. */
export const putImportPiece = ({ workspaceId, id }: ImportFile, piece: number, bytes: Uint8Array): Promise<void> =>
  putFile(importPieceKey(workspaceId, id, piece), bytes);

/** Null when it no longer exists. */
export const getImportPiece = ({ workspaceId, id }: ImportFile, piece: number): Promise<Buffer | null> =>
  getFile(importPieceKey(workspaceId, id, piece));

export const putRefusedPiece = ({ workspaceId, id }: ImportFile, piece: number, text: string): Promise<void> =>
  putFile(refusedPieceKey(workspaceId, id, piece), Buffer.from(text));

/** Joins the refused lines into one report under a header. A large import has tens of thousands of pieces: some are read in parallel. */
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

/** Deletes the files that a finished import no longer needs; its report stays. */
export async function dropImport({ workspaceId, id }: ImportFile, bytes: number, refusedPieces: number): Promise<void> {
  const keys = [
    ...Array.from({ length: piecesOf(bytes) }, (_, piece) => importPieceKey(workspaceId, id, piece)),
    ...Array.from({ length: refusedPieces }, (_, piece) => refusedPieceKey(workspaceId, id, piece)),
  ];
  await inParallel(callsAtOnce, keys, deleteFile);
}
