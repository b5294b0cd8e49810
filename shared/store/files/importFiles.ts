import { type ImportWork, pieceBytes, piecesOf } from '../../domain/job.ts';
import { inParallel } from '../../platform/parallel.ts';
import {
  deleteFile,
  type FileRange,
  getFile,
  getRange,
  importPieceKey,
  importUploadKey,
  presignPut,
  putFile,
  putStream,
  refusedPieceKey,
  refusedReportKey,
  type UploadAddress,
} from './bucket.ts';

/** The file of an import job. */
export interface ImportFile {
  readonly workspaceId: string;
  readonly id: string;
}

/** The job of an import, which says how its file is stored. */
interface StoredImport extends ImportFile {
  readonly work: Pick<ImportWork, 'upload'>;
}

const callsAtOnce = 16;

/** Writes a piece, replacing an earlier one. */
export const putImportPiece = ({ workspaceId, id }: ImportFile, piece: number, bytes: Uint8Array): Promise<void> =>
  putFile(importPieceKey(workspaceId, id, piece), bytes);

/** Null when it no longer exists, or when a file that was uploaded whole was replaced since the start. */
export async function getImportPiece(
  { workspaceId, id, work: { upload } }: StoredImport,
  piece: number,
): Promise<Buffer | null> {
  if (!upload) return getFile(importPieceKey(workspaceId, id, piece));
  const range = { start: piece * pieceBytes, length: pieceBytes, etag: upload.etag ?? undefined };
  return (await getRange(importUploadKey(workspaceId, id), range))?.bytes ?? null;
}

/** The beginning of a file that was uploaded whole, with its version and size; null when it has not arrived. */
export const headOfUpload = ({ workspaceId, id }: ImportFile): Promise<FileRange | null> =>
  getRange(importUploadKey(workspaceId, id), { start: 0, length: pieceBytes });

/** A URL to which an application uploads its whole file, of exactly this size, until it expires. */
export const presignImport = (
  { workspaceId, id }: ImportFile,
  bytes: number,
  lifetime: { readonly now: Date; readonly expiresInSeconds: number },
): Promise<UploadAddress> =>
  presignPut(importUploadKey(workspaceId, id), { bytes, contentType: 'text/csv', sha256: null }, lifetime);

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
export async function dropImport({ workspaceId, id }: ImportFile, work: ImportWork): Promise<void> {
  const { refusedPieces } = work.progress;
  const keys = [
    ...(work.upload
      ? [importUploadKey(workspaceId, id)]
      : Array.from({ length: piecesOf(work.bytes) }, (_, piece) => importPieceKey(workspaceId, id, piece))),
    ...Array.from({ length: refusedPieces }, (_, piece) => refusedPieceKey(workspaceId, id, piece)),
  ];
  await inParallel(callsAtOnce, keys, deleteFile);
}
