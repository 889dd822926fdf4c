import { isEmailAddress, isPersonName, toStoredEmail } from '../accounts/accountFields.ts';
import type { CompanyIssuer } from './companyIssuer.ts';
import type { SignOnFault } from './signOnFaults.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** A person as the issuer describes them. */
export interface IssuerPerson {
  subject: string;
  email: string;
  name: string;
  /** Empty where no role depends on them. */
  groups: readonly string[];
}

type Rules = Pick<CompanyIssuer, 'domains' | 'groupsClaim' | 'trustsEmail' | 'roles'>;

/** The names in the claim of groups; null = it is missing, or of another shape. */
export function readGroups(claims: Claims, claim: string): readonly string[] | null {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value)) return null;
  return value.filter((one) => typeof one === 'string');
}

const readEmail = ({ email }: Claims): string =>
  typeof email === 'string' ? toStoredEmail(email) : '';

const isOfDomain = (email: string, domains: readonly string[]): boolean =>
  domains.includes(email.slice(email.lastIndexOf('@') + 1));

/**
 * The groups of a person whom the issuer has confirmed without a login. Its answer may lack what has not changed, such
 * as the address, but what it has must still be allowed.
 */
export function checkRefreshedClaims(
  claims: Claims,
  { domains, groupsClaim, roles }: Rules,
): readonly string[] | SignOnFault {
  const email = readEmail(claims);
  // Some issuers send it as a text in the user info.
  if (claims.email_verified === false || claims.email_verified === 'false') return 'unverified';
  if (email !== '' && !isOfDomain(email, domains)) return 'domain';
  return roles.length === 0 ? [] : (readGroups(claims, groupsClaim) ?? 'no-groups');
}

/** Whether the claims say that the person may log in, by the rules of this control plane. */
export function checkClaims(
  subject: string,
  claims: Claims,
  { domains, groupsClaim, trustsEmail, roles }: Rules,
): IssuerPerson | SignOnFault {
  const email = readEmail(claims);
  if (!isEmailAddress(email)) return 'no-email';
  const { email_verified: isVerified } = claims;
  if (isVerified !== true && !(isVerified === undefined && trustsEmail)) return 'unverified';
  if (!isOfDomain(email, domains)) return 'domain';
  const groups = roles.length === 0 ? [] : readGroups(claims, groupsClaim);
  if (groups === null) return 'no-groups';
  const name = typeof claims.name === 'string' ? claims.name.trim() : '';
  return { subject, email, name: isPersonName(name) ? name : email, groups };
}
