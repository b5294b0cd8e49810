import { createHash } from 'node:crypto';
import type { Row, SesDatabase } from './database.ts';
import { badRequest, SesError } from './errors.ts';
import { domainOf } from './mime/addresses.ts';

export type VerificationStatus = 'PENDING' | 'SUCCESS' | 'FAILED';

export interface Identity {
  readonly name: string;
  readonly type: 'DOMAIN' | 'EMAIL_ADDRESS';
  readonly verificationStatus: VerificationStatus;
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const domainName = new RegExp(`^(?:${label}\\.)+${label}$`);

export function createIdentity(database: SesDatabase, name: string, held: boolean, now: number): Identity {
  const identity = normalised(name);
  if (!domainName.test(domainOf(identity))) throw badRequest(`Invalid email identity ${name}.`);
  if (findIdentity(database, identity)) {
    throw new SesError('AlreadyExistsException', `Email identity ${identity} already exist.`);
  }
  database.run(
    'INSERT INTO identities (name, type, verification_status, created_at) VALUES (?, ?, ?, ?)',
    identity,
    identity.includes('@') ? 'EMAIL_ADDRESS' : 'DOMAIN',
    held ? 'PENDING' : 'SUCCESS',
    now,
  );
  database.forget();
  return requireIdentity(database, identity);
}

export function requireIdentity(database: SesDatabase, name: string): Identity {
  const identity = findIdentity(database, normalised(name));
  if (!identity) throw new SesError('NotFoundException', `Email identity ${name} does not exist.`);
  return identity;
}

export function deleteIdentity(database: SesDatabase, name: string): void {
  const identity = requireIdentity(database, name);
  database.transaction(() => {
    database.run('DELETE FROM identity_options WHERE name = ?', identity.name);
    database.run('DELETE FROM identities WHERE name = ?', identity.name);
  });
  database.forget();
}

/** The options of an identity; an address has no MAIL FROM domain of its own. */
export interface IdentityOptions {
  readonly forwardsFeedback: boolean;
  readonly mailFromDomain: string | null;
  readonly behaviorOnMxFailure: 'USE_DEFAULT_VALUE' | 'REJECT_MESSAGE';
}

const defaultOptions: IdentityOptions = {
  forwardsFeedback: true,
  mailFromDomain: null,
  behaviorOnMxFailure: 'USE_DEFAULT_VALUE',
};

export function identityOptions(database: SesDatabase, { name }: Identity): IdentityOptions {
  const row = database.get('SELECT options FROM identity_options WHERE name = ?', name);
  return { ...defaultOptions, ...(row && JSON.parse(String(row.options))) };
}

/** Throws NotFoundException. */
export function putIdentityOptions(database: SesDatabase, name: string, changed: Partial<IdentityOptions>): void {
  const identity = requireIdentity(database, name);
  const options = JSON.stringify({ ...identityOptions(database, identity), ...changed });
  database.run('INSERT OR REPLACE INTO identity_options (name, options) VALUES (?, ?)', identity.name, options);
}

/**
 * The name of a MAIL FROM domain: below the identity's own. Throws BadRequestException.
 * https://docs.aws.amazon.com/ses/latest/dg/mail-from.html
 */
export function requireMailFromDomain(identity: Identity, name: string): string {
  const mailFrom = name.toLowerCase();
  if (!domainName.test(mailFrom)) throw badRequest(`Invalid MAIL-FROM domain <${name}>.`);
  if (!mailFrom.endsWith(`.${domainOf(identity.name)}`)) {
    throw badRequest(`Provided MAIL-FROM domain <${name}> is not subdomain of the domain of the identity.`);
  }
  return mailFrom;
}

/** Alphabetical, after the given name. */
export function listIdentities(database: SesDatabase, after: string, limit: number): Identity[] {
  return database.all('SELECT * FROM identities WHERE name > ? ORDER BY name LIMIT ?', after, limit).map(fromRow);
}

export function setVerificationStatus(database: SesDatabase, name: string, status: VerificationStatus): Identity {
  const identity = requireIdentity(database, name);
  database.run('UPDATE identities SET verification_status = ? WHERE name = ?', status, identity.name);
  database.forget();
  return requireIdentity(database, name);
}

/**
 * The verified identity that covers an address: the address itself, else its domain, else a parent domain.
 * https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html
 */
export function verifiedIdentityFor(database: SesDatabase, address: string): string | null {
  return database.remember(`identity ${address}`, () => {
    const labels = domainOf(address).toLowerCase().split('.');
    const candidates = [normalised(address), ...labels.map((_, index) => labels.slice(index).join('.'))];
    return candidates.find((name) => findIdentity(database, name)?.verificationStatus === 'SUCCESS') ?? null;
  });
}

/** Three tokens like those of SES's Easy DKIM: 32 letters and digits, here always the same for a domain. */
export function dkimTokens(domain: string): string[] {
  return [1, 2, 3].map((index) => {
    const digest = createHash('sha256').update(`${domain}/${index}`).digest();
    return [...digest].map((byte) => 'abcdefghijklmnopqrstuvwxyz234567'[byte % 32]).join('');
  });
}

function findIdentity(database: SesDatabase, name: string): Identity | null {
  const row = database.get('SELECT * FROM identities WHERE name = ?', name);
  return row ? fromRow(row) : null;
}

/** Domains are compared without case, local parts with it. */
function normalised(name: string): string {
  const domain = domainOf(name);
  return name.slice(0, name.length - domain.length) + domain.toLowerCase();
}

function fromRow(row: Row): Identity {
  return {
    name: String(row.name),
    type: row.type === 'EMAIL_ADDRESS' ? 'EMAIL_ADDRESS' : 'DOMAIN',
    verificationStatus: row.verification_status as VerificationStatus,
  };
}
