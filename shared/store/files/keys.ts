/**
 * Every key of the bucket and nothing else builds one: what a file is, whose it is, which one. The first word is what
 * permissions and expiry go by (`files` in infra/resources.ts).
 */
const areas = { uploads: 'uploads', bodies: 'bodies' } as const;

export const uploadKey = (workspaceId: string, uploadId: string): string =>
  `${areas.uploads}/${workspaceId}/${uploadId}`;

/** Of an email that goes out later. */
export const bodyKey = (workspaceId: string, emailId: string): string => `${areas.bodies}/${workspaceId}/${emailId}`;

/** Where all files of a workspace lie. */
export const filesOfWorkspace = (workspaceId: string): readonly string[] =>
  Object.values(areas).map((area) => `${area}/${workspaceId}/`);
