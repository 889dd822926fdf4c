import { SvcError } from '../../../base/errors/errors.ts';
import { type CompanyIssuer, toIssuerHost } from '../signOn/companyIssuer.ts';
import { html, type Html } from './html.ts';
import type { PageEnv } from './pageEnv.ts';
import { toSignOnPath } from '../signOn/signOnPath.ts';

/** A link, no form: the issuer may lead the browser on to addresses that a policy for forms cannot name. */
export const renderIssuerLink = ({ issuer }: CompanyIssuer, next: string): Html =>
  html`<div class="actions"><a class="button" href="${toSignOnPath(next)}">Continue to ${toIssuerHost(issuer)}</a></div>`;

/** Throws SvcError `not-possible-now` where people log in at a company's issuer. */
export async function refusePasswords({ signOn }: PageEnv): Promise<void> {
  const issuer = await signOn.readIssuer();
  if (issuer === null) return;
  throw new SvcError(
    'not-possible-now',
    `Passwords are off: people log in at ${toIssuerHost(issuer.issuer)}. Open the login page again; on the command line use svc login, or svc login --device.`,
  );
}
