import { auditForTeams } from '../../server/audit/auditTrail.ts';
import { findAddress } from '../../server/findAddress.ts';
import type { User } from '../accounts/users.ts';
import type { PageCall, PageEnv } from './pageEnv.ts';

/** Logs the browser in after a login at the company's issuer, with an entry in the audit log, and leads on. */
export async function logInUser(
  { cloud, sessions }: PageEnv,
  { ctx }: PageCall,
  user: User,
  next: string,
): Promise<void> {
  const address = findAddress(ctx.req);
  const target = { by: 'issuer' };
  await auditForTeams(cloud, user, { action: 'login', address, target, failed: null });
  await sessions.open(ctx, user.id);
  ctx.status = 303;
  ctx.redirect(next);
}
