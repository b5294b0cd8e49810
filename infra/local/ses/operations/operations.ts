import * as z from 'zod';
import type { SesContext } from '../context.ts';
import { SesError } from '../errors.ts';
import {
  createConfigurationSet,
  createEventDestination,
  deleteConfigurationSet,
  deleteEventDestination,
  eventDestinationSchema,
  eventDestinations,
  listConfigurationSets,
  putConfigurationSetOption,
  requireConfigurationSet,
  updateEventDestination,
} from '../events/configurationSets.ts';
import type { CallingAccount } from '../events/mailObject.ts';
import {
  createEmailIdentity,
  createEmailIdentitySchema,
  deleteEmailIdentity,
  feedbackAttributesSchema,
  getEmailIdentity,
  listEmailIdentities,
  listEmailIdentitiesSchema,
  mailFromAttributesSchema,
  putFeedbackAttributes,
  putMailFromAttributes,
} from './emailIdentities.ts';
import { sendBulkEmail, sendBulkEmailSchema } from './sendBulkEmail.ts';
import { sendEmail, sendEmailSchema } from './sendEmail.ts';

interface OperationCall {
  readonly context: SesContext;
  readonly caller: CallingAccount;
  /** Path parameters in order, decoded. */
  readonly parameters: readonly string[];
  readonly body: unknown;
}

export interface Operation {
  readonly name: string;
  readonly method: string;
  /** Segments after `/v2/email/`; an asterisk is a parameter. */
  readonly path: string;
  /** Throws SesError, or ZodError for a body of the wrong shape. */
  readonly handle: (call: OperationCall) => object | Promise<object>;
}

const operation = (name: string, method: string, path: string, handle: Operation['handle']): Operation => ({
  name,
  method,
  path,
  handle,
});

const createSetSchema = z.looseObject({ ConfigurationSetName: z.string() });
const createDestinationSchema = z.looseObject({
  EventDestinationName: z.string(),
  EventDestination: eventDestinationSchema,
});
const updateDestinationSchema = z.looseObject({ EventDestination: eventDestinationSchema });
const first = ({ parameters }: OperationCall) => parameters[0] ?? '';
const second = ({ parameters }: OperationCall) => parameters[1] ?? '';

/** The supported operations of SES v2. https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_Operations.html */
export const operations: readonly Operation[] = [
  operation('SendEmail', 'POST', 'outbound-emails', ({ context, body, caller }) =>
    sendEmail(context, sendEmailSchema.parse(body), caller),
  ),
  operation('SendBulkEmail', 'POST', 'outbound-bulk-emails', ({ context, body, caller }) =>
    sendBulkEmail(context, sendBulkEmailSchema.parse(body), caller),
  ),
  operation('GetAccount', 'GET', 'account', ({ context }) => getAccount(context)),
  operation('CreateEmailIdentity', 'POST', 'identities', ({ context, body, caller }) =>
    createEmailIdentity(context, createEmailIdentitySchema.parse(body), caller),
  ),
  operation('GetEmailIdentity', 'GET', 'identities/*', (call) =>
    getEmailIdentity(call.context, first(call), call.caller),
  ),
  operation('DeleteEmailIdentity', 'DELETE', 'identities/*', (call) => deleteEmailIdentity(call.context, first(call))),
  operation('PutEmailIdentityFeedbackAttributes', 'PUT', 'identities/*/feedback', (call) =>
    putFeedbackAttributes(call.context, first(call), feedbackAttributesSchema.parse(call.body)),
  ),
  operation('PutEmailIdentityMailFromAttributes', 'PUT', 'identities/*/mail-from', (call) =>
    putMailFromAttributes(call.context, first(call), mailFromAttributesSchema.parse(call.body)),
  ),
  operation('ListEmailIdentities', 'POST', 'list-identities', ({ context, body }) =>
    listEmailIdentities(context, listEmailIdentitiesSchema.parse(body)),
  ),
  // The account's suppression list is always empty here: bounces are only in the service's own.
  operation('DeleteSuppressedDestination', 'DELETE', 'suppression/addresses/*', (call) => {
    throw new SesError('NotFoundException', `Email address ${first(call)} does not exist on your suppression list.`);
  }),
  operation('CreateConfigurationSet', 'POST', 'configuration-sets', ({ context, body }) => {
    const { ConfigurationSetName: name, ...options } = createSetSchema.parse(body);
    createConfigurationSet(context.database, name, options, context.now());
    return {};
  }),
  operation('ListConfigurationSets', 'POST', 'list-configuration-sets', ({ context }) => ({
    ConfigurationSets: listConfigurationSets(context.database),
  })),
  operation('GetConfigurationSet', 'GET', 'configuration-sets/*', (call) => ({
    ...requireConfigurationSet(call.context.database, first(call)),
    ConfigurationSetName: first(call),
  })),
  operation('DeleteConfigurationSet', 'DELETE', 'configuration-sets/*', (call) => {
    deleteConfigurationSet(call.context.database, first(call));
    return {};
  }),
  operation('PutConfigurationSetTrackingOptions', 'PUT', 'configuration-sets/*/tracking-options', (call) => {
    putConfigurationSetOption(call.context.database, first(call), 'TrackingOptions', call.body);
    return {};
  }),
  operation('GetConfigurationSetEventDestinations', 'GET', 'configuration-sets/*/event-destinations', (call) => {
    requireConfigurationSet(call.context.database, first(call));
    const destinations = eventDestinations(call.context.database, first(call));
    return { EventDestinations: destinations.map(({ name, definition }) => ({ ...definition, Name: name })) };
  }),
  operation('CreateConfigurationSetEventDestination', 'POST', 'configuration-sets/*/event-destinations', (call) => {
    const { EventDestinationName: name, EventDestination: to } = createDestinationSchema.parse(call.body);
    createEventDestination(call.context.database, first(call), name, to);
    return {};
  }),
  operation('UpdateConfigurationSetEventDestination', 'PUT', 'configuration-sets/*/event-destinations/*', (call) => {
    const { EventDestination: to } = updateDestinationSchema.parse(call.body);
    updateEventDestination(call.context.database, first(call), second(call), to);
    return {};
  }),
  operation('DeleteConfigurationSetEventDestination', 'DELETE', 'configuration-sets/*/event-destinations/*', (call) => {
    deleteEventDestination(call.context.database, first(call), second(call));
    return {};
  }),
];

/** Reported when no limit is set: -1 is SES's value for no daily limit. */
const unlimited = { day: -1, rate: 1000 };
/** https://docs.aws.amazon.com/ses/latest/dg/request-production-access.html */
const sandboxed = { day: 200, rate: 1 };

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_GetAccount.html */
function getAccount({ faults, limits }: SesContext) {
  const { sending_paused, max_24_hour_send, rate_per_second, sandbox } = faults.state;
  const usual = sandbox ? sandboxed : unlimited;
  return {
    DedicatedIpAutoWarmupEnabled: false,
    EnforcementStatus: 'HEALTHY',
    ProductionAccessEnabled: !sandbox,
    SendingEnabled: !sending_paused,
    SendQuota: {
      Max24HourSend: max_24_hour_send ?? usual.day,
      MaxSendRate: rate_per_second ?? usual.rate,
      SentLast24Hours: limits.sentLast24Hours(),
    },
    SuppressionAttributes: { SuppressedReasons: [] },
  };
}
