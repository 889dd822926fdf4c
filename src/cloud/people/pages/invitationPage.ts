import { SvcError } from '../../../base/errors/errors.ts';
import { checkAccountFields } from '../accounts/accountFields.ts';
import { addUser, prepareUser } from '../accounts/users.ts';
import {
  acceptInvitation,
  createUsedLinkError,
  findInvitation,
  type OpenInvitation,
} from '../teams/invitations.ts';
import { renderAccountFields, type ShownForm } from './accountForm.ts';
import { renderAlert, renderHidden } from './fields.ts';
import { html } from './html.ts';
import { refusePasswords, renderIssuerLink } from './issuerLink.ts';
import { openFormToken, type PageCall, type PageEnv, readOwnForm } from './pageEnv.ts';
import { renderPage } from './renderPage.ts';
import { START_PATH } from './startPath.ts';

async function renderInvitation(
  env: PageEnv,
  call: PageCall,
  { teamName, role, inviter }: OpenInvitation,
  { form, errors, alert, status }: ShownForm,
): Promise<void> {
  const { ctx, session } = call;
  const issuer = await env.signOn.readIssuer();
  const csrf = renderHidden('csrf', openFormToken(env, call));
  renderPage(ctx, {
    title: `Join ${teamName}`,
    status,
    body: html`<p>${inviter} invites you to the team ${teamName} with the role ${role}.</p>
${renderAlert(alert)}
${
  session === null && issuer !== null
    ? html`<p>Log in with the account of your company first.</p>
${renderIssuerLink(issuer, ctx.path)}`
    : session === null
      ? html`<form method="post">
${csrf}
${renderAccountFields(form, errors)}
<div class="actions"><button>Create account and join</button></div>
</form>
<h2>You have an account?</h2>
<p><a href="/auth/login?next=${encodeURIComponent(ctx.path)}">Log in to join with it</a></p>`
      : html`<p>You are logged in as ${session.person.email}.</p>
<form method="post">
${csrf}
<div class="actions"><button>Join ${teamName}</button></div>
</form>`
}`,
  });
}

async function requireInvitation(env: PageEnv, call: PageCall): Promise<OpenInvitation> {
  const { cloud } = env;
  const invitation = await findInvitation(cloud, cloud.database.sql, call.secret);
  if (invitation === null) throw createUsedLinkError();
  return invitation;
}

export async function showInvitation(env: PageEnv, call: PageCall): Promise<void> {
  const invitation = await requireInvitation(env, call);
  await renderInvitation(env, call, invitation, { form: {}, errors: [], alert: null, status: 200 });
}

export async function submitInvitation(env: PageEnv, call: PageCall): Promise<void> {
  const form = await readOwnForm(env, call);
  const invitation = await requireInvitation(env, call);
  const { ctx, session, secret } = call;
  if (session === null) {
    await refusePasswords(env);
    const checkedFields = checkAccountFields(form);
    if ('errors' in checkedFields)
      return renderInvitation(env, call, invitation, {
        form,
        errors: checkedFields.errors,
        alert: null,
        status: 422,
      });
    const user = await prepareUser(checkedFields.fields, env.cloud.ids);
    try {
      await env.cloud.database.transaction(async (sql) => {
        await addUser(sql, user, new Date(env.cloud.clock.now()));
        await acceptInvitation(env.cloud, sql, secret, user.id);
      });
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'conflict') throw error;
      return renderInvitation(env, call, invitation, {
        form,
        errors: [],
        alert: error.message,
        status: 409,
      });
    }
    await env.sessions.open(ctx, user.id);
  } else {
    const { userId } = session.person;
    await env.cloud.database.transaction(async (sql) => {
      await acceptInvitation(env.cloud, sql, secret, userId);
    });
  }
  ctx.status = 303;
  ctx.redirect(START_PATH);
}
