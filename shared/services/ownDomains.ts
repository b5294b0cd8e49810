import { ServiceError } from '../contract/errors.ts';
import type { Input, Output, Result } from '../contract/route.ts';
import type { createDomainRoute, deleteDomainRoute, verifyDomainRoute } from '../contract/routes/domains.ts';
import { toAsciiDomain } from '../domain/webAddress.ts';
import { type Text, text } from '../language/text.ts';
import { config, hasConfig } from '../platform/config.ts';
import { countDomainCall } from '../store/workspace/domainHolders.ts';
import { addDomain, removeDomain, verifyDomain } from './changeDomains.ts';
import type { Context } from './context.ts';
import { getDomain, type PublishedRecord, whenSesAllows } from './domains.ts';
import { existingWorkspace } from './existingWorkspace.ts';
import { operatorVerb } from './operatorVerb.ts';

/** What applications do with the domains of their workspace, by the verbs of operators. */

/** Every send reads the domains of its workspace, and SES has 10,000 for the whole account. */
const maxDomains = 50;

/** Each reads the domains of every workspace, and SES allows one call about domains a second. */
const hourLimits = { change: 60, verify: 10 } as const;

/** Adds a domain. One that the workspace has already stays as it is, unless `mail_from` is given. */
export async function createDomain(
  context: Context,
  { name, mail_from: mailFrom }: Input<typeof createDomainRoute>,
): Promise<Result<typeof createDomainRoute>> {
  const { domains } = await existingWorkspace(context.workspaceId, 'strong');
  const known = domains.find(({ domain }) => domain === toAsciiDomain(name.trim()));
  if (known && mailFrom === undefined) {
    return { outcome: 'existing', output: await getDomain(context, { id: known.domain }) };
  }
  if (!known && domains.length >= maxDomains) throw tooManyDomains;
  await takeTurn(context, 'change');
  const output = shown(await whenSesAllows(addDomain(context, { name, mailFrom })));
  return { outcome: known ? 'existing' : 'created', output };
}

/** Looks for the workspace's TXT record and asks SES, and stores whether the domain is verified. */
export const verifyOwnDomain = /* @__PURE__ */ operatorVerb(
  { action: 'domain.verify', needs: 'change', subject: ({ id }) => id, byKeys: 'audited' },
  async (context: Context, { id }: Input<typeof verifyDomainRoute>): Promise<Output<typeof verifyDomainRoute>> => {
    const name = await ownDomain(context, id);
    await takeTurn(context, 'verify', name);
    const resolver = hasConfig('DNS_RESOLVER') ? config('DNS_RESOLVER') : 'system';
    const server = resolver === 'system' ? undefined : resolver;
    return shown(await whenSesAllows(verifyDomain(context, { name, resolver: server, isFull: false })));
  },
);

/** Removes a domain; refused while the workspace has senders on it. */
export async function deleteDomain(
  context: Context,
  { id }: Input<typeof deleteDomainRoute>,
): Promise<Output<typeof deleteDomainRoute>> {
  const name = await ownDomain(context, id);
  await takeTurn(context, 'change');
  await whenSesAllows(removeDomain(context, { name }));
  return { object: 'domain', id: name, deleted: true };
}

/** The name of a domain of the workspace. Throws `not_found`. */
async function ownDomain({ workspaceId }: Context, id: string): Promise<string> {
  const { domains } = await existingWorkspace(workspaceId, 'strong');
  const known = domains.find(({ domain }) => domain === toAsciiDomain(id));
  if (!known) throw new ServiceError('not_found');
  return known.domain;
}

/** Counts a call; verifications are counted by domain. Throws `rate_limit_exceeded`. */
async function takeTurn({ workspaceId, now }: Context, kind: keyof typeof hourLimits, domain = ''): Promise<void> {
  const limit = hourLimits[kind];
  const { count, resetsAt } = await countDomainCall(`${kind}#${workspaceId}#${domain}`, now);
  if (count <= limit) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(resetsAt - now.getTime() / 1000));
  throw new ServiceError('rate_limit_exceeded', {
    text: limitTexts[kind],
    details: { retry_after: retryAfterSeconds },
    retryAfterSeconds,
  });
}

const limitTexts: Readonly<Record<keyof typeof hourLimits, Text>> = {
  change: text({
    en: `At most ${hourLimits.change} domains are added and deleted in an hour.`,
    fr: `${hourLimits.change} domaines au plus sont ajoutés et supprimés par heure.`,
  }),
  verify: text({
    en: `A domain is verified at most ${hourLimits.verify} times an hour.`,
    fr: `Un domaine est vérifié au plus ${hourLimits.verify} fois par heure.`,
  }),
};

const tooManyDomains = new ServiceError('conflict', {
  text: text({
    en: `A workspace has at most ${maxDomains} domains by this call: ask an operator.`,
    fr: `Un espace a au plus ${maxDomains} domaines par cet appel : adressez-vous à un opérateur.`,
  }),
});

/** A changed domain as the API shows it. */
const shown = ({
  domain,
  verified,
  mail_from,
  records,
}: {
  readonly domain: string;
  readonly verified: boolean;
  readonly mail_from: { readonly domain: string } | null;
  readonly records: readonly PublishedRecord[];
}) => ({
  object: 'domain' as const,
  id: domain,
  name: domain,
  verified,
  mail_from: mail_from?.domain ?? null,
  records,
});
