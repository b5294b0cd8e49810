import { ServiceError } from '../../contract/errors.ts';
import type { Input, Result } from '../../contract/route.ts';
import type { getDomainRoute } from '../../contract/routes/domains.ts';
import { toAsciiDomain } from '../../domain/address/domainName.ts';
import { type DomainIdentity, getDomainIdentity } from '../../email/identity.ts';
import { failedCall } from '../../email/ses.ts';
import type { Context } from '../context.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { listedDomain } from './shown.ts';
import { stateOf, wantedRecords } from './wanted.ts';

/** A domain of the workspace with the records to publish and what SES says of each now. Reads; `domain verify` keeps. */
export async function getDomain(
  { workspaceId }: Context,
  { id }: Input<typeof getDomainRoute>,
): Promise<Result<typeof getDomainRoute>> {
  const { domains } = await existingWorkspace(workspaceId);
  const known = domains.find(({ domain }) => domain === toAsciiDomain(id));
  const identity = known && (await identityOf(known.domain));
  if (!identity) throw new ServiceError('not_found');
  return {
    ...listedDomain(known),
    mail_from: identity.mailFrom?.domain ?? null,
    records: wantedRecords(known.domain, identity).map(({ purpose, type, name, value }) => ({
      purpose,
      type,
      name,
      value,
      status: stateOf(purpose, identity),
    })),
  };
}

/** SES answers one such call a second for the whole account (SES Developer Guide, "Service quotas"). */
async function identityOf(domain: string): Promise<DomainIdentity | null> {
  try {
    return await getDomainIdentity(domain);
  } catch (error) {
    if (failedCall(error).kind !== 'deferred') throw error;
    throw new ServiceError('rate_limit_exceeded', {
      text: {
        en: 'The provider is asked about too many domains just now.',
        fr: 'Le prestataire est interrogé sur trop de domaines en ce moment.',
      },
      retryAfterSeconds: 2,
      cause: error,
    });
  }
}
