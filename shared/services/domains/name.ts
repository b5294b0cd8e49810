import { ValidationError } from '../../contract/errors.ts';
import { toAsciiDomain } from '../../domain/address/domainName.ts';
import type { Text } from '../../language/text.ts';

/** The ASCII form of a domain; `validation_error` when it is none. */
export function domainName(name: string): string {
  const domain = toAsciiDomain(name.trim());
  if (domain?.includes('.')) return domain;
  throw invalid({
    en: `"${name}" is not a domain name such as example.com`,
    fr: `« ${name} » n’est pas un nom de domaine comme example.com`,
  });
}

/** The MAIL FROM domain, which SES takes only below the domain itself; `validation_error` otherwise. */
export function mailFromName(name: string, domain: string): string {
  const mailFrom = domainName(name);
  if (mailFrom.endsWith(`.${domain}`)) return mailFrom;
  throw invalid({
    en: `"${name}" is not a subdomain of ${domain}, such as mail.${domain}`,
    fr: `« ${name} » n’est pas un sous-domaine de ${domain}, comme mail.${domain}`,
  });
}

const invalid = (text: Text) => new ValidationError([{ path: '', text }]);
