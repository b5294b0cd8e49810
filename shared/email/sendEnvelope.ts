import { type Answer, detailsOf, restShapeOf } from '../platform/aws/answer.ts';
import { AwsError } from '../platform/aws/awsError.ts';
import type { BodyInPieces } from '../platform/aws/bodyInPieces.ts';
import { connection } from '../platform/aws/connection.ts';
import { askSigned } from '../platform/aws/signedCall.ts';
import { config } from '../platform/config.ts';
import { remainingMilliseconds } from '../platform/deadline.ts';
import { logger } from '../platform/logger.ts';
import { notify } from '../platform/notice.ts';
import { base64Pieces } from './mime/base64.ts';
import type { Mime } from './mime/mimeParts.ts';
import { answerMilliseconds, failedCall, type NotAccepted, type SendResult, sesPolicy, subjectOf } from './ses.ts';

const { requestHandler: transport } = connection(sesPolicy);

/** A message in many pieces takes its time to go out, which counts as waiting for the answer; the call ends it all the same. */
const { requestHandler: patientTransport } = connection({ ...sesPolicy, connections: 8, answering: 20_000 });

export interface Envelope {
  /** At most 50 addresses. */
  readonly recipients: readonly string[];
  readonly mime: Mime;
  readonly tags: readonly { readonly name: string; readonly value: string }[];
  readonly tracking: { readonly opens: boolean; readonly clicks: boolean };
}

/** One attempt, as SES has no idempotency token: again could be twice. Only what was certainly not taken is tried again. */
export async function sendEnvelope(envelope: Envelope): Promise<SendResult> {
  try {
    const messageId = await post(envelope);
    // SES names what it took: a yes without an id comes from something in between.
    return messageId ? { kind: 'accepted', messageId } : { kind: 'unknown', providerCode: 'NoMessageId' };
  } catch (error) {
    const result = failedCall(error);
    report(result, error as Error);
    return result;
  }
}

/** SendEmail: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
async function post(envelope: Envelope): Promise<string | undefined> {
  let answer = await attempt(envelope);
  if (isSignatureAtFault(answer) && remainingMilliseconds() >= answerMilliseconds) answer = await attempt(envelope);
  if (answer.status !== 200) throw errorOf(answer);
  const { MessageId } = Object(answer.text === '' ? null : JSON.parse(answer.text));
  return typeof MessageId === 'string' ? MessageId : undefined;
}

const attempt = (envelope: Envelope): Promise<Answer> =>
  askSigned(envelope.mime.isLarge ? patientTransport : transport, {
    service: 'ses',
    path: '/v2/email/outbound-emails',
    headers: { 'content-type': 'application/json' },
    body: bodyOf(envelope),
  });

/**
 * True when SES said no to who we are or what time we have, and not to the message, which it did not take; and both, or
 * one of them, are others now.
 */
const isSignatureAtFault = (answer: Answer): boolean =>
  answer.isSignerPutRight && failedCall(errorOf(answer)).kind === 'obstacle';

function bodyOf({ recipients, mime, tags, tracking }: Envelope): Uint8Array | BodyInPieces {
  const rest = {
    Destination: { ToAddresses: recipients },
    ConfigurationSetName: config('CONFIGURATION_SET'),
    EmailTags: tags.map(({ name, value }) => ({ Name: name, Value: value })),
    ConfigurationOverrides: {
      Tracking: {
        OpenTrackingEnabled: tracking.opens ? 'ENABLED' : 'DISABLED',
        ClickTrackingEnabled: tracking.clicks ? 'ENABLED' : 'DISABLED',
      },
    },
  };
  const start = Buffer.from('{"Content":{"Raw":{"Data":"');
  const end = Buffer.from(`"}},${JSON.stringify(rest).slice(1)}`);
  if (!mime.isLarge) {
    const { buffer, byteOffset, length } = mime.bytes;
    return Buffer.concat([
      start,
      Buffer.from(Buffer.from(buffer, byteOffset, length).toString('base64'), 'latin1'),
      end,
    ]);
  }
  return {
    length: start.length + Math.ceil(mime.length / 3) * 4 + end.length,
    *pieces() {
      yield start;
      yield* base64Pieces(mime.pieces());
      yield end;
    },
  };
}

/** What SES answers when it does not take a message, by the name that it gives it. */
function errorOf(answer: Answer): AwsError {
  const told = detailsOf(answer.text);
  const name = restShapeOf(told, answer) ?? 'Error';
  return new AwsError('SES', name, told, answer);
}

function report({ kind: outcome, providerCode: provider_code }: NotAccepted, error: Error): void {
  const message = 'The provider did not take a message.';
  const fields = { outcome, provider_code, error };
  if (outcome === 'deferred' || outcome === 'unknown') logger.warn(message, fields);
  else notify(subjectOf(provider_code) === 'pause' ? 'SendingPaused' : 'ProviderRefused', message, fields);
}
