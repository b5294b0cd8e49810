import {
  type DomainIdentity,
  ensureDomainIdentity,
  getDomainIdentity,
  setMailFrom,
  stopForwardingFeedback,
} from '../../email/identity.ts';
import { withoutCredentials } from '../../platform/redaction.ts';
import { putDomain } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { domainName, mailFromName } from './name.ts';
import { shownDomain } from './shown.ts';
import { wantedRecords } from './wanted.ts';

export interface AddDomainInput {
  readonly name: string;
  /** Left out: what SES has, else `mail.<domain>`. Null: SES's own. */
  readonly mailFrom?: string | null | undefined;
}

/**
 * Registers a domain with SES and the workspace, with feedback as events only and a MAIL FROM domain of its own. Doing
 * it again answers the same records and changes nothing. What SES refuses of the latter two keeps no mail from leaving,
 * so it is told in `problems`.
 */
export const addDomain = operatorVerb(
  { action: 'domain.add', needs: 'own', subject: ({ name }) => name },
  async (context: Context, input: AddDomainInput) => {
    const { now } = context;
    const domain = domainName(input.name);
    const mailFrom = input.mailFrom && mailFromName(input.mailFrom, domain);
    const workspace = await existingWorkspace(context.workspaceId);
    const identity = await ensureDomainIdentity(domain);
    const isVerified = workspace.domains.some((known) => known.domain === domain && known.verified);
    if (!isVerified || !identity.verified) await putDomain(workspace.id, domain, identity.verified ? now : null, now);

    const wantedMailFrom = mailFrom === undefined ? (identity.mailFrom?.domain ?? `mail.${domain}`) : mailFrom || null;
    const problems = await arrange(domain, identity, wantedMailFrom);
    const arranged = (await getDomainIdentity(domain)) ?? identity;
    return { ...shownDomain(domain, arranged), records: wantedRecords(domain, arranged), problems };
  },
);

async function arrange(domain: string, identity: DomainIdentity, mailFrom: string | null): Promise<string[]> {
  const steps = [
    identity.forwardsFeedback && (['feedback forwarding by mail is still on', stopForwardingFeedback(domain)] as const),
    (identity.mailFrom?.domain ?? null) !== mailFrom &&
      (['the MAIL FROM domain was not set', setMailFrom(domain, mailFrom)] as const),
  ].filter((step) => step !== false);
  const results = await Promise.allSettled(steps.map(([, done]) => done));
  return results.flatMap((result, index) =>
    result.status === 'rejected'
      ? [`${steps[index]?.[0]}: ${withoutCredentials((result.reason as Error).message)}`]
      : [],
  );
}
