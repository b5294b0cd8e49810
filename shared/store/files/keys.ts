/**
 * Every key of the bucket and nothing else builds one: what a file is, whose it is, which one. The first word is what
 * permissions and expiry go by (`files` in infra/resources.ts).
 */
const areas = { uploads: 'uploads', bodies: 'bodies', imports: 'imports', exports: 'exports' } as const;

export const uploadKey = (workspaceId: string, uploadId: string): string =>
  `${areas.uploads}/${workspaceId}/${uploadId}`;

/** Of an email that goes out later. */
export const bodyKey = (workspaceId: string, emailId: string): string => `${areas.bodies}/${workspaceId}/${emailId}`;

/** Of a file that is imported: its pieces, the lines of it that were refused, and these once more as one file. */
export const importPieceKey = (workspaceId: string, jobId: string, piece: number): string =>
  `${areas.imports}/${workspaceId}/${jobId}/piece-${piece}`;
export const refusedPieceKey = (workspaceId: string, jobId: string, piece: number): string =>
  `${areas.imports}/${workspaceId}/${jobId}/refused-${piece}`;
export const refusedReportKey = (workspaceId: string, jobId: string): string =>
  `${areas.imports}/${workspaceId}/${jobId}/refused`;

export const exportKey = (workspaceId: string, jobId: string): string => `${areas.exports}/${workspaceId}/${jobId}`;

/** Where all files of a workspace lie. */
export const filesOfWorkspace = (workspaceId: string): readonly string[] =>
  Object.values(areas).map((area) => `${area}/${workspaceId}/`);
