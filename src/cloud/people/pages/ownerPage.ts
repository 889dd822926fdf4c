import { SvcError } from '../../../base/errors/errors.ts';
import { auditForTeams } from '../../server/audit/auditTrail.ts';
import { findAddress } from '../../server/findAddress.ts';
import { checkAccountFields } from '../accounts/accountFields.ts';
import { acceptBreakGlassLink, findBreakGlassOwner } from '../accounts/breakGlassLinks.ts';
import {
  acceptOwnerLink,
  createUsedOwnerLinkError,
  isOwnerLinkOpen,
} from '../accounts/ownerLinks.ts';
import type { User } from '../accounts/users.ts';
import { renderAccountFields, type ShownForm } from './accountForm.ts';
import { renderAlert, renderField, renderHidden } from './fields.ts';
import { html } from './html.ts';
import { openFormToken, type PageCall, type PageEnv, readOwnForm } from './pageEnv.ts';
import { renderPage } from './renderPage.ts';
import { START_PATH } from './startPath.ts';

const renderOwnerForm = (
  env: PageEnv,
  call: PageCall,
  { form, errors, alert, status }: ShownForm,
): void =>
  renderPage(call.ctx, {
    title: 'Set up your team',
    status,
    body: html`<p>You are the first person here. You become the owner of the team, and invite the others.</p>
${renderAlert(alert)}
<form method="post">
${renderHidden('csrf', openFormToken(env, call))}
${renderField({ name: 'team', label: 'Name of the team', type: 'text', autocomplete: 'organization', value: form.team ?? '', autofocus: true }, errors)}
${renderAccountFields(form, errors)}
<div class="actions"><button>Create team</button></div>
</form>`,
  });

function renderBreakGlass(env: PageEnv, call: PageCall, { name, email }: User): void {
  renderPage(call.ctx, {
    title: `Log in as ${name}?`,
    body: html`<p>This link logs you in as ${email} without your company's login, for one hour. It works once, and the audit log of the team records it.</p>
<form method="post">
${renderHidden('csrf', openFormToken(env, call))}
<div class="actions"><button name="owner" value="yes">Log in</button></div>
</form>`,
  });
}

async function submitBreakGlass(
  { cloud, sessions }: PageEnv,
  { ctx, secret }: PageCall,
): Promise<void> {
  const user = await acceptBreakGlassLink(cloud, secret);
  const address = findAddress(ctx.req);
  await auditForTeams(cloud, user, { action: 'ownerLinkLogin', address, failed: null });
  await sessions.open(ctx, user.id, true);
  ctx.status = 303;
  ctx.redirect(START_PATH);
}

export async function showOwnerForm(env: PageEnv, call: PageCall): Promise<void> {
  const { cloud } = env;
  const owner = await findBreakGlassOwner(cloud, cloud.database.sql, call.secret);
  if (owner !== null) return renderBreakGlass(env, call, owner);
  if (!(await isOwnerLinkOpen(env.cloud, env.cloud.database.sql, call.secret)))
    throw createUsedOwnerLinkError();
  renderOwnerForm(env, call, { form: {}, errors: [], alert: null, status: 200 });
}

export async function submitOwnerForm(env: PageEnv, call: PageCall): Promise<void> {
  const form = await readOwnForm(env, call);
  if (form.owner !== undefined) return submitBreakGlass(env, call);
  const checkedFields = checkAccountFields(form);
  const team = (form.team ?? '').trim();
  const errors = [
    ...(team === '' ? [{ pointer: 'team', message: 'Enter a name for the team.' }] : []),
    ...('errors' in checkedFields ? checkedFields.errors : []),
  ];
  if ('errors' in checkedFields || errors.length > 0)
    return renderOwnerForm(env, call, { form, errors, alert: null, status: 422 });
  // Before the slow part: a link that no longer works costs nothing.
  if (!(await isOwnerLinkOpen(env.cloud, env.cloud.database.sql, call.secret)))
    throw createUsedOwnerLinkError();
  try {
    const { userId } = await acceptOwnerLink(env.cloud, call.secret, checkedFields.fields, {
      teamName: team,
      address: findAddress(call.ctx.req),
    });
    await env.sessions.open(call.ctx, userId);
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'invalid') throw error;
    return renderOwnerForm(env, call, { form, errors: [], alert: error.message, status: 422 });
  }
  call.ctx.status = 303;
  call.ctx.redirect(START_PATH);
}
