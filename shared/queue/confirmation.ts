import * as z from 'zod';
import { sendMessage } from './sqs/sendMessage.ts';

/** Send what this person's request for consent still owes them. */
interface OwedConfirmation {
  readonly kind: 'confirmation';
  readonly workspaceId: string;
  readonly email: string;
}

/** Somebody sent the public form. Who it is, only the worker looks up. */
interface SentForm {
  readonly kind: 'sign_up';
  readonly workspaceId: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Where it was sent from, and the version of what it said; the release before told neither. */
  readonly source?: string | undefined;
  readonly form?: string | undefined;
  /** ISO 8601 UTC; the release before did not tell. */
  readonly askedAt?: string | undefined;
}

/** Somebody asked, by their link, for what is stored of them. */
export interface AskedForData {
  readonly kind: 'data';
  readonly workspaceId: string;
  readonly email: string;
  /** ISO 8601 UTC; it tells one request from the next, and is the same for all that are one. */
  readonly askedAt: string;
}

export type ConfirmationMessage = OwedConfirmation | SentForm | AskedForData;

const person = { workspace_id: z.string(), email: z.string() };
const message = z.discriminatedUnion('kind', [
  z
    .object({ kind: z.literal('confirmation'), ...person })
    .transform(({ kind, workspace_id, email }): OwedConfirmation => ({ kind, workspaceId: workspace_id, email })),
  z.object({ kind: z.literal('data'), ...person, asked_at: z.string() }).transform(
    ({ kind, workspace_id, email, asked_at }): AskedForData => ({
      kind,
      workspaceId: workspace_id,
      email,
      askedAt: asked_at,
    }),
  ),
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
    ...(kind === 'sign_up' && toldBy(entry)),
    ...(kind === 'data' && { asked_at: entry.askedAt }),
  });
}

const toldBy = ({ firstName, lastName, fields, source, form, askedAt }: SentForm) => ({
  first_name: firstName,
  last_name: lastName,
  fields,
  source,
  form,
  asked_at: askedAt,
});

/** The group is the workspace: one that imports thousands does not hold up the others (SQS, "fair queues"). */
export const sendConfirmationMessage = (entry: ConfirmationMessage): Promise<void> =>
  sendMessage('confirmation', { MessageBody: bodyOf(entry), MessageGroupId: entry.workspaceId });
