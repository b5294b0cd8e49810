import * as z from 'zod';
import type { SesContext } from '../context.ts';
import { badRequest, SesError, type SesErrorName } from '../errors.ts';
import type { CallingAccount } from '../events/mailObject.ts';
import { type Submission, submit, submitUnrendered } from '../mail/submission.ts';
import {
  overridesSchema,
  parseTemplateData,
  readAttachments,
  renderTexts,
  simpleContent,
  templateContent,
  templateSchema,
  trackingOverrides,
  unrenderedContent,
} from './messageContent.ts';
import { checkRecipients, checkTags, destinationSchema, type NameValue, nameValueListSchema } from './requestLimits.ts';

const entrySchema = z.looseObject({
  Destination: destinationSchema,
  ReplacementTags: nameValueListSchema,
  ReplacementHeaders: nameValueListSchema,
  ReplacementEmailContent: z
    .looseObject({
      ReplacementTemplate: z.looseObject({ ReplacementTemplateData: z.string().nullish() }).nullish(),
    })
    .nullish(),
});
export const sendBulkEmailSchema = z.looseObject({
  FromEmailAddress: z.string().nullish(),
  ReplyToAddresses: z.array(z.string()).nullish(),
  DefaultEmailTags: nameValueListSchema,
  DefaultContent: z.looseObject({ Template: templateSchema.nullish() }),
  BulkEmailEntries: z.array(entrySchema),
  ConfigurationSetName: z.string().nullish(),
  ConfigurationOverrides: overridesSchema,
});
type SendBulkEmailRequest = z.infer<typeof sendBulkEmailSchema>;
type BulkEntry = z.infer<typeof entrySchema>;

const maximumEntries = 50;

/** The status of an entry by the error of a single send. */
const entryStatuses: Partial<Record<SesErrorName, string>> = {
  AccountSuspendedException: 'ACCOUNT_SUSPENDED',
  BadRequestException: 'INVALID_PARAMETER',
  MailFromDomainNotVerifiedException: 'MAIL_FROM_DOMAIN_NOT_VERIFIED',
  MessageRejected: 'MESSAGE_REJECTED',
  NotFoundException: 'CONFIGURATION_SET_NOT_FOUND',
  SendingPausedException: 'ACCOUNT_SENDING_PAUSED',
};

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendBulkEmail.html: the status 200 says nothing about an entry. */
export async function sendBulkEmail(context: SesContext, request: SendBulkEmailRequest, caller: CallingAccount) {
  const template = request.DefaultContent.Template;
  if (!template) throw badRequest('DefaultContent must have a Template.');
  const entries = request.BulkEmailEntries;
  if (entries.length === 0) throw badRequest('BulkEmailEntries must not be empty.');
  if (entries.length > maximumEntries) throw badRequest(`Number of bulk email entries exceeds ${maximumEntries}.`);
  const texts = templateContent(template);
  const results = [];
  for (const entry of entries) results.push(await sendEntry(context, request, { ...template, texts }, entry, caller));
  return { BulkEmailEntryResults: results };
}

type ReadTemplate = z.infer<typeof templateSchema> & { texts: ReturnType<typeof templateContent> };

async function sendEntry(
  context: SesContext,
  request: SendBulkEmailRequest,
  template: ReadTemplate,
  entry: BulkEntry,
  caller: CallingAccount,
) {
  const fault = context.faults.interfereWithEntry();
  if (fault) return { Status: fault, Error: 'Fault set on the local SES.' };
  try {
    return { Status: 'SUCCESS', MessageId: await submitEntry(context, request, template, entry, caller) };
  } catch (error) {
    if (!(error instanceof SesError)) throw error;
    return { Status: entryStatus(error), Error: error.message };
  }
}

function entryStatus(error: SesError): string {
  if (error.name === 'TooManyRequestsException') {
    return error.message.startsWith('Daily') ? 'ACCOUNT_DAILY_QUOTA_EXCEEDED' : 'ACCOUNT_THROTTLED';
  }
  return entryStatuses[error.name] ?? 'FAILED';
}

async function submitEntry(
  context: SesContext,
  request: SendBulkEmailRequest,
  template: ReadTemplate,
  entry: BulkEntry,
  caller: CallingAccount,
): Promise<string> {
  const replaced = entry.ReplacementEmailContent?.ReplacementTemplate?.ReplacementTemplateData;
  const data = { ...parseTemplateData(template.TemplateData), ...parseTemplateData(replaced) };
  const recipients = checkRecipients(entry.Destination);
  const rendered = renderTexts(template.texts, data);
  const envelope = {
    from: request.FromEmailAddress,
    destination: entry.Destination,
    replyTo: request.ReplyToAddresses,
  };
  const headers = override(template.Headers, entry.ReplacementHeaders, (name) => name.toLowerCase());
  const attachments = readAttachments(template.Attachments);
  const content = rendered.ok
    ? await simpleContent(envelope, { ...rendered.texts, headers, attachments })
    : unrenderedContent();
  const submission: Submission = {
    operation: 'SendBulkEmail',
    caller,
    source: request.FromEmailAddress ?? '',
    recipients,
    ...content,
    tags: checkTags(override(request.DefaultEmailTags, entry.ReplacementTags, (name) => name)),
    configurationSet: request.ConfigurationSetName ?? null,
    tracking: trackingOverrides(request.ConfigurationOverrides),
  };
  return rendered.ok ? submit(context, submission) : submitUnrendered(context, submission, rendered.problem);
}

/** Defaults with the entry's own in place of those of the same name. */
function override(
  defaults: readonly NameValue[] | null | undefined,
  own: readonly NameValue[] | null | undefined,
  key: (name: string) => string,
): NameValue[] {
  const replaced = new Set((own ?? []).map(({ Name }) => key(Name)));
  return [...(defaults ?? []).filter(({ Name }) => !replaced.has(key(Name))), ...(own ?? [])];
}
