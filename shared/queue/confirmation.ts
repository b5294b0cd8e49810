import * as z from 'zod';
import { sendMessage } from './sqs.ts';

/** Sends the due message of this person's request for consent. */
interface OwedConfirmation {
  readonly kind: 'confirmation';
  readonly workspaceId: string;
  readonly email: string;
}

/** A submitted public form. Only the worker reads the person. */
interface SentForm {
  readonly kind: 'sign_up';
  readonly workspaceId: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** The network address of the sender, and the version of the form's text; the previous release omitted both. */
  readonly source?: string | undefined;
  readonly form?: string | undefined;
  /** ISO 8601 UTC; the previous release omitted it. */
  readonly askedAt?: string | undefined;
}

/** A person's request, by their link, for the data that is stored about them. */
export interface AskedForData {
  readonly kind: 'data';
  readonly workspaceId: string;
  readonly email: string;
  /** ISO 8601 UTC; identifies the request. */
  readonly askedAt: string;
}

/** A request, by link, of a person who declined confirmations, for the mail that allows them again. */
export interface AskedToReturn extends Omit<AskedForData, 'kind'> {
  readonly kind: 'return';
}

export type ConfirmationMessage = OwedConfirmation | SentForm | AskedForData | AskedToReturn;

const person = { workspace_id: z.string(), email: z.string() };
const message = z.discriminatedUnion('kind', [
  z
    .object({ kind: z.literal('confirmation'), ...person })
    .transform(({ kind, workspace_id, email }): OwedConfirmation => ({ kind, workspaceId: workspace_id, email })),
  z
    .object({ kind: z.enum(['data', 'return']), ...person, asked_at: z.string() })
    .transform(({ kind, workspace_id, email, asked_at }): AskedForData | AskedToReturn => ({
      kind,
      workspaceId: workspace_id,
      email,
      askedAt: asked_at,
    })),
  z
    .object({
      kind: z.literal('sign_up'),
      ...person,
      first_name: z.string().nullish(),
      last_name: z.string().nullish(),
      fields: z.record(z.string(), z.string()).nullish(),
      source: z.string().nullish(),
      form: z.string().nullish(),
      asked_at: z.string().nullish(),
    })
    .transform(
      ({ kind, workspace_id, email, first_name, last_name, fields, source, form, asked_at }): SentForm => ({
        kind,
        workspaceId: workspace_id,
        email,
        firstName: first_name ?? null,
        lastName: last_name ?? null,
        fields: fields ?? undefined,
        source: source ?? undefined,
        form: form ?? undefined,
        askedAt: asked_at ?? undefined,
      }),
    ),
]);

export const parseConfirmationMessage = (body: string): ConfirmationMessage => message.parse(JSON.parse(body));

function bodyOf(entry: ConfirmationMessage): string {
  const { kind, workspaceId, email } = entry;
  return JSON.stringify({
    kind,
    workspace_id: workspaceId,
    email,
    ...(kind === 'sign_up' && formFields(entry)),
    ...((kind === 'data' || kind === 'return') && { asked_at: entry.askedAt }),
  });
}

const formFields = ({ firstName, lastName, fields, source, form, askedAt }: SentForm) => ({
  first_name: firstName,
  last_name: lastName,
  fields,
  source,
  form,
  asked_at: askedAt,
});

/** The message group is the workspace, so that an import of thousands does not delay others (SQS, "fair queues"). */
export const sendConfirmationMessage = (entry: ConfirmationMessage, delaySeconds = 0): Promise<void> =>
  sendMessage('confirmation', {
    MessageBody: bodyOf(entry),
    MessageGroupId: entry.workspaceId,
    ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
  });
