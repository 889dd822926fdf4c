import type { FieldError } from '../../../base/errors/errors.ts';
import { findPasswordFault } from '../accounts/accountFields.ts';
import { acceptPasswordLink, requirePasswordLink } from '../accounts/passwordLinks.ts';
import type { User } from '../accounts/users.ts';
import { PASSWORD_LENGTH } from '../passwords.ts';
import { renderField, renderHidden } from './fields.ts';
import { html } from './html.ts';
import { refusePasswords } from './issuerLink.ts';
import { openFormToken, type PageCall, type PageEnv, readOwnForm } from './pageEnv.ts';
import { renderPage } from './renderPage.ts';
import { START_PATH } from './startPath.ts';

function renderPasswordForm(
  env: PageEnv,
  call: PageCall,
  { email }: User,
  errors: readonly FieldError[],
): void {
  renderPage(call.ctx, {
    title: 'Choose a new password',
    status: errors.length > 0 ? 422 : 200,
    body: html`<p>For ${email}. All logins of this account end, on every machine; its machines stay paired.</p>
<form method="post">
${renderHidden('csrf', openFormToken(env, call))}
${renderField({ name: 'password', label: 'New password', type: 'password', autocomplete: 'new-password', hint: `At least ${PASSWORD_LENGTH.least} characters.`, autofocus: true }, errors)}
<div class="actions"><button>Set password and log in</button></div>
</form>`,
  });
}

export async function showPasswordForm(env: PageEnv, call: PageCall): Promise<void> {
  await refusePasswords(env);
  const user = await requirePasswordLink(env.cloud, env.cloud.database.sql, call.secret);
  renderPasswordForm(env, call, user, []);
}

export async function submitPasswordForm(env: PageEnv, call: PageCall): Promise<void> {
  await refusePasswords(env);
  const { password = '' } = await readOwnForm(env, call);
  // Before the slow part: a link that works no longer costs nothing.
  const user = await requirePasswordLink(env.cloud, env.cloud.database.sql, call.secret);
  const message = findPasswordFault(password);
  if (message !== null)
    return renderPasswordForm(env, call, user, [{ pointer: 'password', message }]);
  const { id } = await acceptPasswordLink(env.cloud, call.secret, password);
  await env.sessions.open(call.ctx, id);
  call.ctx.status = 303;
  call.ctx.redirect(START_PATH);
}
