import { sha256 } from '../../../base/system/ids/ids.ts';
import { auditForTeams } from '../../server/audit/auditTrail.ts';
import { findAddress } from '../../server/findAddress.ts';
import { findUserByEmail, type User } from '../accounts/users.ts';
import { toLocalPath } from '../sessions/toLocalPath.ts';
import {
  type Admission,
  admitPerson,
  findUserByIdentity,
  noteConfirmation,
} from '../signOn/admitPerson.ts';
import { checkClaims, type IssuerPerson } from '../signOn/checkClaims.ts';
import type { CompanyIssuer } from '../signOn/companyIssuer.ts';
import type { IssuerAnswer } from '../signOn/issuerClient.ts';
import {
  ATTEMPT_MS,
  deriveProof,
  openAttempt,
  type SignOnAttempt,
  takeAttempt,
} from '../signOn/signOnAttempt.ts';
import { SIGN_ON_FAULTS, SignOnError, type SignOnFault } from '../signOn/signOnFaults.ts';
import { describeIssuerFault } from '../signOn/toSignOnError.ts';
import { mayConnect, renderConnectQuestion } from './connectPage.ts';
import { html } from './html.ts';
import { logInUser } from './logInUser.ts';
import type { PageCall, PageEnv } from './pageEnv.ts';
import { renderPage } from './renderPage.ts';
import { toRedirectUri, toSignOnPath } from '../signOn/signOnPath.ts';
import { START_PATH } from './startPath.ts';

/** Model of the rows by which an answer of the issuer counts once. */
const USED = 'SignOn';

/** Faults that another account at the issuer may not have: the next try asks which one. */
const OF_ACCOUNT: ReadonlySet<SignOnFault> = new Set([
  'denied',
  'no-email',
  'unverified',
  'domain',
  'other-subject',
  'not-linked',
]);

/** Sends the browser to the issuer. */
export async function startSignOn(env: PageEnv, call: PageCall): Promise<void> {
  const { cloud, signOn } = env;
  const { ctx } = call;
  const { next, again } = ctx.query;
  const goal = toLocalPath(
    typeof next === 'string' ? next : undefined,
    cloud.publicUrl,
    START_PATH,
  );
  const issuer = await signOn.readIssuer();
  if (issuer === null) return ctx.redirect(`/auth/login?next=${encodeURIComponent(goal)}`);
  try {
    const secret = cloud.ids.secret();
    const url = await signOn.client.createLoginUrl(
      issuer,
      toRedirectUri(cloud.publicUrl),
      deriveProof(secret),
      again !== undefined,
    );
    const until = cloud.clock.now() + ATTEMPT_MS;
    openAttempt(
      ctx,
      { secret, next: goal, issuer: issuer.issuer, until },
      { publicUrl: cloud.publicUrl, fallback: START_PATH },
    );
    ctx.redirect(url.href);
  } catch (error) {
    if (!(error instanceof SignOnError)) throw error;
    renderFault(env, call, error, goal);
  }
}

/** The browser is back from the issuer. */
export async function finishSignOn(env: PageEnv, call: PageCall): Promise<void> {
  const { cloud, signOn } = env;
  const { ctx } = call;
  const attempt = takeAttempt(ctx, cloud.publicUrl, cloud.clock.now());
  const next = toLocalPath(attempt?.next, cloud.publicUrl, START_PATH);
  try {
    const issuer = await signOn.readIssuer();
    if (attempt === null || issuer === null || attempt.issuer !== issuer.issuer)
      throw new SignOnError('lost');
    await useOnce(env, attempt);
    const current = new URL(`${toRedirectUri(cloud.publicUrl)}${ctx.search}`);
    const answer = await signOn.client.finishLogin(issuer, current, deriveProof(attempt.secret));
    const person = await requirePerson(env, call, issuer, answer);
    const { kind, user } = await admit(env, call, { issuer, person, answer });
    if (kind === 'known') {
      await logInUser(env, call, user, next);
    } else if (await mayConnect(env, call, user.id, next)) {
      await renderConnectQuestion(env, call, { issuer, person, answer, user, next });
    } else {
      await auditRefusal(env, call, user, 'not-linked');
      throw new SignOnError('not-linked');
    }
  } catch (error) {
    if (!(error instanceof SignOnError)) throw error;
    renderFault(env, call, error, next);
  }
}

/** Throws SignOnError `lost` for an answer that has been used. */
async function useOnce({ cloud }: PageEnv, { secret, until }: SignOnAttempt): Promise<void> {
  const { count } = await cloud.database.sql`
    insert into oauth_records (model, id, payload, expires_at)
    values (${USED}, ${sha256(deriveProof(secret).state)}, '{}', ${new Date(until)})
    on conflict do nothing`;
  if (count === 0) throw new SignOnError('lost');
}

/** Throws SignOnError for a person who may not log in here. */
async function requirePerson(
  env: PageEnv,
  call: PageCall,
  issuer: CompanyIssuer,
  { subject, claims }: IssuerAnswer,
): Promise<IssuerPerson> {
  const person = checkClaims(subject, claims, issuer);
  if (typeof person !== 'string') return person;
  const user = await findUserByIdentity(env.cloud.database.sql, issuer.issuer, subject);
  if (user !== null) await auditRefusal(env, call, user, person);
  throw new SignOnError(person);
}

async function admit(
  env: PageEnv,
  call: PageCall,
  { issuer, person, answer }: { issuer: CompanyIssuer; person: IssuerPerson; answer: IssuerAnswer },
): Promise<Admission> {
  const { cloud, signOn } = env;
  const { sealer } = signOn;
  if (sealer === null) throw new SignOnError('no-key');
  const now = cloud.clock.now();
  const address = findAddress(call.ctx.req);
  const confirmation = { ...person, refreshToken: answer.refreshToken, isLogin: true };
  try {
    return await cloud.database.transaction(async (sql) => {
      const admission = await admitPerson(sql, issuer, person, { ids: cloud.ids, now });
      if (admission.kind === 'known')
        await noteConfirmation(sql, issuer, admission.user, confirmation, { sealer, now, address });
      return admission;
    });
  } catch (error) {
    if (error instanceof SignOnError && error.fault === 'other-subject') {
      const other = await findUserByEmail(cloud.database.sql, person.email);
      if (other !== null) await auditRefusal(env, call, other, error.fault);
    }
    throw error;
  }
}

const auditRefusal = (
  { cloud }: PageEnv,
  { ctx }: PageCall,
  user: User,
  reason: SignOnFault,
): Promise<void> =>
  auditForTeams(cloud, user, {
    action: 'login',
    address: findAddress(ctx.req),
    target: { by: 'issuer', reason },
    failed: 'forbidden',
  });

/** In our words alone: nothing that the issuer has written is shown. */
function renderFault(
  { cloud }: PageEnv,
  { ctx }: PageCall,
  { fault, cause }: SignOnError,
  next: string,
): void {
  if (fault === 'misconfigured' || fault === 'away' || fault === 'no-key')
    cloud.log.warn(
      { fault, reason: describeIssuerFault(cause) },
      "a login at the company's issuer failed",
    );
  const { status, title, text } = SIGN_ON_FAULTS[fault];
  const isOfAccount = OF_ACCOUNT.has(fault);
  renderPage(ctx, {
    title,
    status,
    body: html`<p role="alert">${text}</p>
<div class="actions"><a class="button" href="${toSignOnPath(next, isOfAccount)}">${isOfAccount ? 'Log in with another account' : 'Log in again'}</a></div>`,
  });
}
