/** Regions apart from all others have names of their own (`partitions.json` of the AWS SDKs). */
const domains: readonly (readonly [region: RegExp, domain: string])[] = [
  [/^cn-/, 'amazonaws.com.cn'],
  [/^eusc-/, 'amazonaws.eu'],
  [/^us-iso-/, 'c2s.ic.gov'],
  [/^us-isob-/, 'sc2s.sgov.gov'],
  [/^us-isof-/, 'csp.hci.ic.gov'],
  [/^eu-isoe-/, 'cloud.adc-e.uk'],
];

/** How the names of AWS's hosts end in a region. */
export const domainOf = (region: string): string =>
  domains.find(([pattern]) => pattern.test(region))?.[1] ?? 'amazonaws.com';
