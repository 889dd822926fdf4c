import { SvcError } from '../../../base/errors/errors.ts';
import { toStoredEmail } from '../accounts/accountFields.ts';
import { findUserByEmail } from '../accounts/users.ts';
import { auditForTeams } from '../../server/audit/auditTrail.ts';
import { findAddress } from '../../server/findAddress.ts';
import { MOST_LOGIN_TRIES, takeTry } from '../limitTries.ts';
import { verifyPassword } from '../passwords.ts';
import { toLocalPath } from '../sessions/toLocalPath.ts';
import { renderAlert, renderField, renderHidden } from './fields.ts';
import { html } from './html.ts';
import { openFormToken, type PageCall, type PageEnv, readOwnForm } from './pageEnv.ts';
import { refusePasswords, renderIssuerLink } from './issuerLink.ts';
import { renderPage } from './renderPage.ts';
import { START_PATH } from './startPath.ts';

interface LoginForm {
  email: string;
  next: string;
  alert: string | null;
  status?: number;
}

/** The form itself, or the way to the company's issuer: also shown by pages that need a login first. */
async function renderLoginForm(
  env: PageEnv,
  call: PageCall,
  { email, next, alert, status = 200 }: LoginForm,
): Promise<void> {
  const issuer = await env.signOn.readIssuer();
  if (issuer !== null)
    return renderPage(call.ctx, {
      title: 'Log in',
      status,
      body: html`<p>You log in with the account of your company.</p>
${renderIssuerLink(issuer, next)}`,
    });
  renderPage(call.ctx, {
    title: 'Log in',
    status,
    body: html`${renderAlert(alert)}
<form method="post" action="/auth/login">
${renderHidden('csrf', openFormToken(env, call))}
${renderHidden('next', next)}
${renderField({ name: 'email', label: 'Email', type: 'email', autocomplete: 'username', value: email, autofocus: email === '' })}
${renderField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', autofocus: email !== '' })}
<div class="actions"><button>Log in</button></div>
</form>`,
  });
}

const readNext = ({ cloud }: PageEnv, givenNext: string | undefined): string =>
  toLocalPath(givenNext, cloud.publicUrl, START_PATH);

export async function showLogin(env: PageEnv, call: PageCall): Promise<void> {
  const { next } = call.ctx.query;
  const goal = readNext(env, Array.isArray(next) ? next[0] : next);
  if (call.session !== null) return call.ctx.redirect(goal);
  await renderLoginForm(env, call, { email: '', next: goal, alert: null });
}

/** A page that needs a login: the same address again afterwards. */
export const renderLoginFirst = (env: PageEnv, call: PageCall): Promise<void> =>
  renderLoginForm(env, call, { email: '', next: call.ctx.path, alert: null, status: 401 });

export async function submitLogin(env: PageEnv, call: PageCall): Promise<void> {
  await refusePasswords(env);
  const form = await readOwnForm(env, call);
  const email = toStoredEmail(form.email ?? '');
  const next = readNext(env, form.next);
  try {
    const userId = await checkPassword(env, call, email, form.password ?? '');
    await env.sessions.open(call.ctx, userId);
    call.ctx.status = 303;
    call.ctx.redirect(next);
  } catch (error) {
    if (!(error instanceof SvcError) || !isShownInForm(error)) throw error;
    if (error.status === 429)
      call.ctx.set('Retry-After', String(error.data.retryAfterSeconds ?? 60));
    await renderLoginForm(env, call, { email, next, alert: error.message, status: error.status });
  }
}

const isShownInForm = ({ code }: SvcError): boolean =>
  code === 'unauthorized' || code === 'rate-limited';

/**
 * The user with this password. The same answer, after the same time, for a wrong password and for
 * an address without an account. Throws SvcError `unauthorized` or `rate-limited`.
 */
async function checkPassword(
  { cloud }: PageEnv,
  { ctx }: PageCall,
  email: string,
  password: string,
): Promise<string> {
  const address = findAddress(ctx.req);
  const keys = [`login address ${address}`, `login account ${email}`];
  const giveBack = await takeTry(cloud, keys, MOST_LOGIN_TRIES);
  const user = await findUserByEmail(cloud.database.sql, email);
  const isRight = await verifyPassword(user?.password ?? null, password);
  const audit = async (failure: string | null): Promise<void> => {
    if (user !== null)
      await auditForTeams(cloud, user, { action: 'login', address, failed: failure });
  };
  if (user === null || !isRight) {
    // Beside the answer: waiting for it would show by the time that the address has an account.
    audit('unauthorized').catch((err: unknown) =>
      cloud.log.warn({ err }, 'a wrong login could not be written to the audit log'),
    );
    throw new SvcError('unauthorized', 'Email or password is wrong.');
  }
  await audit(null);
  await giveBack();
  return user.id;
}

export async function submitLogout(env: PageEnv, call: PageCall): Promise<void> {
  await readOwnForm(env, call);
  await env.sessions.end(call.ctx);
  call.ctx.status = 303;
  call.ctx.redirect('/auth/login');
}
