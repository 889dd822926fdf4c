import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import { ADVISORY_LOCKS } from '../../database/advisoryLocks.ts';
import { auditForTeams } from '../../server/audit/auditTrail.ts';
import { findAddress } from '../../server/findAddress.ts';
import { findUser, type User } from '../accounts/users.ts';
import { toLocalPath } from '../sessions/toLocalPath.ts';
import {
  connectIdentity,
  findUserByIdentity,
  isConnected,
  noteConfirmation,
  toTokenPlace,
} from '../signOn/admitPerson.ts';
import type { IssuerPerson } from '../signOn/checkClaims.ts';
import { type CompanyIssuer, toIssuerHost } from '../signOn/companyIssuer.ts';
import type { IssuerAnswer } from '../signOn/issuerClient.ts';
import { ATTEMPT_MS } from '../signOn/signOnAttempt.ts';
import { findInvitation } from '../teams/invitations.ts';
import { listTeams } from '../teams/teams.ts';
import { renderHidden } from './fields.ts';
import { html } from './html.ts';
import { logInUser } from './logInUser.ts';
import { openFormToken, type PageCall, type PageEnv, readOwnForm } from './pageEnv.ts';
import { renderPage } from './renderPage.ts';
import { START_PATH } from './startPath.ts';

/** Model of the rows of identities that wait for an answer. */
const WAITING = 'SignOnConnection';
const INVITATION = /^\/auth\/invitation\/([\w-]{1,64})$/;

interface WaitingConnection {
  /** By this name the row ends with the logins of the account. */
  accountId: string;
  issuer: string;
  subject: string;
  groups: readonly string[];
  /** The refresh token, sealed, in base64. */
  sealed: string | null;
  next: string;
}

/**
 * Whether the person may connect their identity to an account that exists: they are logged in to it, or came by an
 * invitation of a team that it is in. An account without a team takes any. The same address alone proves nothing.
 */
export async function mayConnect(
  { cloud }: PageEnv,
  { session }: PageCall,
  userId: string,
  next: string,
): Promise<boolean> {
  if (session?.person.userId === userId) return true;
  const token = INVITATION.exec(next)?.[1];
  if (token === undefined) return false;
  const invitation = await findInvitation(cloud, cloud.database.sql, token);
  const teams = await listTeams(cloud, userId);
  return (
    invitation !== null && (teams.length === 0 || teams.some(({ id }) => id === invitation.teamId))
  );
}

export async function renderConnectQuestion(
  env: PageEnv,
  call: PageCall,
  {
    issuer: { issuer },
    person,
    answer: { refreshToken },
    user,
    next,
  }: {
    issuer: CompanyIssuer;
    person: IssuerPerson;
    answer: IssuerAnswer;
    user: User;
    next: string;
  },
): Promise<void> {
  const { cloud, signOn } = env;
  const { subject, groups } = person;
  const place = toTokenPlace(issuer, subject);
  const sealedToken =
    refreshToken === null
      ? null
      : (signOn.sealer?.seal(refreshToken, place).toString('base64') ?? null);
  const waiting: WaitingConnection = {
    accountId: user.id,
    issuer,
    subject,
    groups,
    sealed: sealedToken,
    next,
  };
  const token = cloud.ids.secret();
  await cloud.database.sql`
    insert into oauth_records (model, id, payload, expires_at)
    values (${WAITING}, ${sha256(token)}, ${cloud.database.sql.json({ ...waiting, groups: [...groups] })},
      ${new Date(cloud.clock.now() + ATTEMPT_MS)})`;
  renderPage(call.ctx, {
    title: 'Connect your account?',
    body: html`<dl>
<dt>Account</dt><dd>${user.name} (${user.email})</dd>
<dt>Login</dt><dd>${person.name} (${person.email}) at ${toIssuerHost(issuer)}</dd>
</dl>
<p>From now on you log in to this account there.</p>
<form method="post" action="/auth/connect">
${renderHidden('csrf', openFormToken(env, call))}
${renderHidden('connection', token)}
<div class="actions"><button>Connect</button> <a class="button quiet" href="/auth/login">Cancel</a></div>
</form>`,
  });
}

export async function submitConnection(env: PageEnv, call: PageCall): Promise<void> {
  const { cloud, signOn } = env;
  const { connection = '' } = await readOwnForm(env, call);
  const waiting = await takeWaiting(env, connection);
  const issuer = await signOn.readIssuer();
  const user = await findUser(cloud.database, waiting.accountId);
  const next = toLocalPath(waiting.next, cloud.publicUrl, START_PATH);
  const { sealer } = signOn;
  if (
    issuer === null ||
    issuer.issuer !== waiting.issuer ||
    user === null ||
    sealer === null ||
    !(await mayConnect(env, call, user.id, next))
  )
    throw createClosedError();
  const { subject, groups, sealed } = waiting;
  const place = toTokenPlace(issuer.issuer, subject);
  const refreshToken = sealed === null ? null : sealer.open(Buffer.from(sealed, 'base64'), place);
  const confirmation = { subject, groups, refreshToken, isLogin: true };
  const address = findAddress(call.ctx.req);
  await cloud.database.transaction(async (sql) => {
    await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.signOn})`;
    const other = await findUserByIdentity(sql, issuer.issuer, subject);
    if (other !== null || (await isConnected(sql, issuer.issuer, user.id)))
      throw createClosedError();
    await connectIdentity(sql, issuer.issuer, subject, user.id);
    const now = cloud.clock.now();
    await noteConfirmation(sql, issuer, user, confirmation, { sealer, now, address });
  });
  await auditForTeams(cloud, user, { action: 'connectIdentity', address, failed: null });
  await logInUser(env, call, user, next);
}

/** The identity that waits for this answer, once. */
async function takeWaiting({ cloud }: PageEnv, token: string): Promise<WaitingConnection> {
  const [row] = await cloud.database.sql<{ payload: WaitingConnection }[]>`
    delete from oauth_records
    where model = ${WAITING} and id = ${sha256(token)} and expires_at > ${new Date(cloud.clock.now())}
    returning payload`;
  if (row === undefined) throw createClosedError();
  return row.payload;
}

const createClosedError = (): SvcError =>
  new SvcError(
    'not-possible-now',
    'This page is no longer valid: it was used, or open for more than ten minutes. Log in again.',
  );
