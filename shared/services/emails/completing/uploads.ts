import { type Issue, ValidationError } from '../../../contract/errors.ts';
import type { SendEmailRequest } from '../../../contract/schemas/email/request.ts';
import { type Upload, uploadEnd } from '../../../domain/message/upload.ts';
import { isId, timeOfId } from '../../../domain/token/identifier.ts';
import { type Text, textsOf } from '../../../language/text.ts';
import { bytesIn } from '../../../platform/memory/chunks.ts';
import { getChunks } from '../../../store/files/get.ts';
import { uploadKey } from '../../../store/files/keys.ts';
import { findUploads } from '../../../store/files/uploads.ts';
import { checkMessageSize, encodedFiles } from '../checks.ts';
import type { Place } from './room.ts';
import type { AttachedFile, WholeEmail } from './wholeEmail.ts';

type Given = NonNullable<SendEmailRequest['attachments']>;
export type FetchUploads = (attachments: Given) => Promise<NonNullable<WholeEmail['attachments']>>;

/**
 * Fetches the files of a workspace that attachments name; of a batch, as far as its emails have a place for them. Throws
 * `validation_error` with what each of them lacks.
 */
export const uploadsOf =
  (workspaceId: string, now: Date, place: Place | null = null): FetchUploads =>
  async (attachments) => {
    const ids = attachments.flatMap(({ upload_id }) => upload_id ?? []);
    const known = await findUploads(
      workspaceId,
      ids.filter((id) => isId('upl', id)),
    );
    throwIssues(attachments, (id) => problemOf(id, known.get(id), now));
    // Before anything is fetched: what is held in memory is bounded by what can be sent.
    const announced = attachments.map((given) => attached(given, known.get(given.upload_id ?? '')));
    checkMessageSize(encodedFiles(announced), announced);
    const hasRoom = place === null || (await place.take(encodedFiles(announced)));
    throwIssues(attachments, () => (hasRoom ? null : texts.full));
    const files = new Map(
      await Promise.all(
        [...known.keys()].map(async (id) => [id, await getChunks(uploadKey(workspaceId, id))] as const),
      ),
    );
    throwIssues(attachments, (id) => {
      const file = files.get(id);
      return file && bytesIn(file) === known.get(id)?.bytes ? null : texts.absent;
    });
    return announced.map((file, index) => {
      const content = files.get(attachments[index]?.upload_id ?? '');
      return content ? { ...file, content } : file;
    });
  };

/** An attachment with the name and type of its upload where it has none; its bytes are still to come. */
function attached(
  { upload_id: _, content, filename, ...given }: Given[number],
  upload: Upload | undefined,
): AttachedFile {
  return {
    ...given,
    filename: filename ?? upload?.filename ?? '',
    content: content ?? '',
    content_type: given.content_type ?? upload?.contentType,
    ...(upload && { announced: upload.bytes }),
  };
}

function problemOf(id: string, upload: Upload | undefined, now: Date): Text | null {
  if (!isId('upl', id)) return texts.unknown;
  if (uploadEnd(upload?.createdAt ?? timeOfId(id)) <= now) return texts.expired;
  return upload ? null : texts.unknown;
}

function throwIssues(attachments: Given, problem: (id: string) => Text | null): void {
  const issues = attachments.flatMap(({ upload_id }, index): Issue[] => {
    const text = upload_id === undefined ? null : problem(upload_id);
    return text ? [{ path: `attachments[${index}].upload_id`, text }] : [];
  });
  if (issues.length > 0) throw new ValidationError(issues);
}

const texts = textsOf({
  unknown: {
    en: 'there is no such upload in this workspace',
    fr: 'ce téléversement n’existe pas dans cet espace',
  },
  expired: {
    en: 'has expired: a file can be sent for a day',
    fr: 'a expiré : un fichier peut être envoyé pendant un jour',
  },
  full: {
    en: 'the files of a batch are too large together: at most 40 MB once encoded, a file counting as often as it is attached',
    fr: 'les fichiers d’un lot sont trop volumineux ensemble : 40 Mo au plus une fois encodés, un fichier comptant autant de fois qu’il est joint',
  },
  absent: {
    en: 'nothing has come to its address yet: PUT the file there first, and wait for 200',
    fr: 'rien n’est encore arrivé à son adresse : écrivez-y d’abord le fichier par PUT, et attendez 200',
  },
});
