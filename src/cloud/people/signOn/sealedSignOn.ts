import type { SealedColumn } from '../../server/resealColumn.ts';
import { toTokenPlace } from './admitPerson.ts';
import { toSecretPlace } from './companyIssuer.ts';

/** What is sealed of logins at the company's issuer. */
export const SEALED_SIGN_ON: readonly SealedColumn[] = [
  {
    table: 'company_issuer',
    column: 'client_secret',
    facts: ['issuer'],
    toPlace: ({ issuer }) => toSecretPlace(String(issuer)),
  },
  {
    table: 'identities',
    column: 'refresh_token',
    facts: ['issuer', 'subject'],
    toPlace: ({ issuer, subject }) => toTokenPlace(String(issuer), String(subject)),
  },
];
