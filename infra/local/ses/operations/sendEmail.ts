import * as z from 'zod';
import type { SesContext } from '../context.ts';
import { badRequest } from '../errors.ts';
import type { CallingAccount } from '../events/mailObject.ts';
import { type Submission, submit, submitUnrendered } from '../mail/submission.ts';
import { parseMailboxes, requireAddress } from '../mime/addresses.ts';
import { headerValue, headerValues } from '../mime/headers.ts';
import {
  type Content,
  overridesSchema,
  parseTemplateData,
  rawContent,
  readAttachments,
  renderTexts,
  simpleContent,
  simpleSchema,
  templateContent,
  templateSchema,
  trackingOverrides,
  unrenderedContent,
} from './messageContent.ts';
import {
  checkRecipients,
  checkTags,
  type Destination,
  destinationSchema,
  type NameValue,
  nameValueListSchema,
} from './requestLimits.ts';

export const sendEmailSchema = z.looseObject({
  FromEmailAddress: z.string().nullish(),
  Destination: destinationSchema,
  ReplyToAddresses: z.array(z.string()).nullish(),
  Content: z.looseObject({
    Simple: simpleSchema.nullish(),
    Raw: z.looseObject({ Data: z.string() }).nullish(),
    Template: templateSchema.nullish(),
  }),
  EmailTags: nameValueListSchema,
  ConfigurationSetName: z.string().nullish(),
  ConfigurationOverrides: overridesSchema,
});
type SesSendEmail = z.infer<typeof sendEmailSchema>;

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
export async function sendEmail(context: SesContext, request: SesSendEmail, caller: CallingAccount) {
  const { Simple, Raw, Template } = request.Content;
  if ([Simple, Raw, Template].filter(Boolean).length !== 1) {
    throw badRequest('Content must have exactly one of Simple, Raw and Template.');
  }
  const tags = checkTags(request.EmailTags ?? []);
  if (request.FromEmailAddress) requireAddress(request.FromEmailAddress);
  if (!Raw) checkRecipients(request.Destination);
  const { content, problem } = await readContent(request);
  const submission: Submission = {
    operation: 'SendEmail',
    caller,
    source: request.FromEmailAddress ?? headerValue(content.root.headers, 'From') ?? '',
    recipients: checkRecipients(request.Destination ?? headerDestination(content)),
    ...content,
    tags: Object.keys(tags).length > 0 || !Raw ? tags : headerTags(content),
    configurationSet:
      request.ConfigurationSetName ?? (Raw ? headerValue(content.root.headers, 'X-SES-CONFIGURATION-SET') : null),
    tracking: trackingOverrides(request.ConfigurationOverrides),
  };
  const accepted = problem === null ? submit(context, submission) : submitUnrendered(context, submission, problem);
  return { MessageId: await accepted };
}

async function readContent(request: SesSendEmail): Promise<{ content: Content; problem: string | null }> {
  const { Simple, Raw, Template } = request.Content;
  const envelope = {
    from: request.FromEmailAddress,
    destination: request.Destination,
    replyTo: request.ReplyToAddresses,
  };
  if (Raw) return { content: rawContent(Buffer.from(Raw.Data, 'base64')), problem: null };
  if (Template) {
    const rendered = renderTexts(templateContent(Template), parseTemplateData(Template.TemplateData));
    if (!rendered.ok) return { content: unrenderedContent(), problem: rendered.problem };
    const rest = { headers: Template.Headers ?? [], attachments: readAttachments(Template.Attachments) };
    return { content: await simpleContent(envelope, { ...rendered.texts, ...rest }), problem: null };
  }
  if (!Simple) throw badRequest('Content is empty.');
  const parts = {
    subject: Simple.Subject.Data,
    text: Simple.Body.Text?.Data,
    html: Simple.Body.Html?.Data,
    headers: Simple.Headers ?? [],
    attachments: readAttachments(Simple.Attachments),
  };
  return { content: await simpleContent(envelope, parts), problem: null };
}

/** Without a Destination the recipients of a raw message are those in its headers. */
function headerDestination({ root }: Content): Destination {
  const addresses = (name: string) =>
    headerValues(root.headers, name)
      .flatMap(parseMailboxes)
      .map((mailbox) => mailbox.address);
  return { ToAddresses: addresses('To'), CcAddresses: addresses('Cc'), BccAddresses: addresses('Bcc') };
}

/** `X-SES-MESSAGE-TAGS: name=value, name=value`; SES does not join them with tags given as a parameter. */
function headerTags({ root }: Content): Record<string, string> {
  const pairs = (headerValue(root.headers, 'X-SES-MESSAGE-TAGS') ?? '').split(',').filter((pair) => pair.trim());
  const tags = pairs.map((pair): NameValue => {
    const [name = '', ...value] = pair.split('=');
    return { Name: name.trim(), Value: value.join('=').trim() };
  });
  return checkTags(tags);
}
