/** Bytes of one file: in base64, with its lines, it is still a message that SES takes. */
export const maxUploadBytes = 29 * 1024 * 1024;

/** How long a file can be sent after its upload was asked for. */
const uploadLifeSeconds = 24 * 3600;

/**
 * How long an address is good. One that is signed with a role's credentials ends with these at the latest, so that a day
 * could not be kept ("If you created a presigned URL using a temporary token, then the URL expires when the token
 * expires": Amazon S3 User Guide, "Download and upload objects with presigned URLs").
 */
export const uploadAddressSeconds = 3600;

/** A file that was announced; whether it has come, only the bucket knows. */
export interface Upload {
  readonly workspaceId: string;
  readonly id: string;
  readonly filename: string;
  readonly bytes: number;
  readonly contentType: string;
  readonly createdAt: Date;
}

export const uploadEnd = (createdAt: Date): Date => new Date(createdAt.getTime() + uploadLifeSeconds * 1000);
