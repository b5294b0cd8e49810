import * as z from 'zod';
import type { SesContext } from './context.ts';
import {
  bounce,
  click,
  complaint,
  delivery,
  deliveryDelay,
  type EventDraft,
  open,
  reject,
  renderingFailure,
  send,
} from './events/events.ts';
import { hardBounce, plainAddress } from './events/simulator.ts';
import { jsonReply, notFoundReply, type Reply } from './http.ts';
import { setVerificationStatus } from './identities.ts';
import { type EventTarget, findEventTarget, storeEvent } from './mail/messages.ts';

const identitySchema = z.strictObject({ verification_status: z.enum(['PENDING', 'SUCCESS', 'FAILED']) });

const eventRequestSchema = z.strictObject({
  message_id: z.string(),
  type: z.enum([
    'Send',
    'Delivery',
    'Bounce',
    'Complaint',
    'DeliveryDelay',
    'Reject',
    'RenderingFailure',
    'Rendering Failure',
    'Open',
    'Click',
  ]),
  /** Default: the first recipient of the message. */
  recipient: z.string().optional(),
  bounce_type: z.enum(['Permanent', 'Transient', 'Undetermined']).optional(),
  bounce_sub_type: z.string().optional(),
  complaint_feedback_type: z.string().optional(),
  delay_type: z.string().default('TransientCommunicationFailure'),
  error_message: z.string().default('Attribute is not present in the rendering data.'),
  template_name: z.string().default(''),
  /** Default: the first tracked link of the message. */
  link: z.string().optional(),
  ip_address: z.string().default('192.0.2.1'),
  user_agent: z.string().default('Mozilla/5.0'),
});
type EventRequest = z.infer<typeof eventRequestSchema>;

/** Changes that tests and tools may make while the server runs. Null for another path. Throws ZodError. */
export function control(context: SesContext, method: string, path: string, body: unknown): Reply | null {
  if (path === '/_control/faults' && method === 'GET') return jsonReply(200, context.faults.state);
  if (path === '/_control/faults' && method === 'PUT') return jsonReply(200, context.faults.replace(body));
  if (path === '/_control/events' && method === 'POST') return emit(context, eventRequestSchema.parse(body));
  const identity = /^\/_control\/identities\/([^/]+)$/.exec(path)?.[1];
  if (identity && method === 'PUT') {
    const { verification_status } = identitySchema.parse(body);
    const { name } = setVerificationStatus(context.database, decodeURIComponent(identity), verification_status);
    return jsonReply(200, { identity: name, verification_status });
  }
  return null;
}

function emit(context: SesContext, request: EventRequest): Reply {
  const target = findEventTarget(context.database, request.message_id);
  if (!target) return notFoundReply();
  const draft = draftEvent(request, target, context.now());
  context.database.transaction(() => storeEvent(context.database, target, draft));
  context.publisher.wake(draft.happenedAt);
  return jsonReply(202, { type: draft.type, detail: draft.detail });
}

function draftEvent(request: EventRequest, target: EventTarget, now: number): EventDraft {
  const recipient = request.recipient ?? plainAddress(target.recipients[0] ?? '');
  const visitor = { ipAddress: request.ip_address, userAgent: request.user_agent };
  switch (request.type) {
    case 'Send':
      return send(now);
    case 'Delivery':
      return delivery(now, now, [recipient]);
    case 'Bounce':
      return draftBounce(request, recipient, now);
    case 'Complaint':
      return complaint(now, recipient, request.complaint_feedback_type);
    case 'DeliveryDelay':
      return deliveryDelay(now, recipient, request.delay_type);
    case 'Reject':
      return reject(now);
    case 'RenderingFailure':
    case 'Rendering Failure':
      return renderingFailure(now, request.error_message, request.template_name);
    case 'Open':
      return open(now, visitor);
    case 'Click':
      return click(now, visitor, request.link ?? target.links[0]?.url ?? 'https://example.com/', null);
  }
}

function draftBounce({ bounce_type, bounce_sub_type }: EventRequest, recipient: string, now: number): EventDraft {
  if (bounce_type === undefined && bounce_sub_type === undefined) return hardBounce(now, recipient);
  return bounce(now, {
    bounceType: bounce_type ?? 'Permanent',
    bounceSubType: bounce_sub_type ?? 'General',
    recipient,
  });
}
