import { SvcError } from '../../../base/errors/errors.ts';
import { findAddress } from '../../server/findAddress.ts';
import { isConnected } from '../signOn/admitPerson.ts';
import { toIssuerHost } from '../signOn/companyIssuer.ts';
import type { BrowserSession } from '../sessions/browserSessions.ts';
import { addTeam, listTeams } from '../teams/teams.ts';
import { renderField, renderHidden } from './fields.ts';
import { html, type Html } from './html.ts';
import { renderLoginFirst } from './loginPage.ts';
import { type PageCall, type PageEnv, readOwnForm } from './pageEnv.ts';
import { renderPage } from './renderPage.ts';
import { toSignOnPath } from '../signOn/signOnPath.ts';
import { START_PATH } from './startPath.ts';

/** The page after a login: the person's teams, and how a machine is connected. */
export async function showStart(env: PageEnv, call: PageCall): Promise<void> {
  if (call.session === null) return renderLoginFirst(env, call);
  await renderStart(env, call, call.session, { name: '', fault: null });
}

/** Makes a team, whose owner the person becomes. */
export async function submitTeam(env: PageEnv, call: PageCall): Promise<void> {
  const { cloud } = env;
  const { name = '' } = await readOwnForm(env, call);
  if (call.session === null) return renderLoginFirst(env, call);
  const team = { id: cloud.ids.next(), name };
  const owner = { ...call.session.person, address: findAddress(call.ctx.req) };
  try {
    const { slug } = await cloud.database.transaction((sql) =>
      addTeam(sql, team, owner, new Date(cloud.clock.now())),
    );
    call.ctx.status = 303;
    call.ctx.redirect(`${START_PATH}${slug}/`);
  } catch (error) {
    if (!(error instanceof SvcError) || error.status >= 500) throw error;
    await renderStart(env, call, call.session, { name, fault: error.message });
  }
}

async function renderStart(
  env: PageEnv,
  { ctx }: PageCall,
  { person, csrf }: BrowserSession,
  { name, fault }: { name: string; fault: string | null },
): Promise<void> {
  const teams = await listTeams(env.cloud, person.userId);
  const connection = await renderConnection(env, person.userId);
  const errors = fault === null ? [] : [{ pointer: 'name', message: fault }];
  renderPage(ctx, {
    title: `Welcome, ${person.name}`,
    status: fault === null ? 200 : 422,
    body: html`<p>You are logged in as ${person.email}.</p>
<h2>Your teams</h2>
${
  teams.length === 0
    ? html`<p>You are not in a team. Create one below, or ask an admin of another one for an invitation.</p>`
    : html`<ul>${teams.map(({ name, slug, role }) => html`<li><a href="/t/${slug}/">${name}</a> <small>${role}</small></li>`)}</ul>`
}
${connection}
${teams.length === 0 ? '' : renderMachine(env.cloud.publicUrl)}
<h2>Create a team</h2>
<form method="post" action="/auth/home">
${renderHidden('csrf', csrf)}
${renderField({ name: 'name', label: 'Name of the team', type: 'text', autocomplete: 'organization', value: name }, errors)}
<div class="actions"><button>Create team</button></div>
</form>
<form method="post" action="/auth/logout">
${renderHidden('csrf', csrf)}
<div class="actions"><button class="quiet">Log out</button></div>
</form>`,
  });
}

/** Only for members of a team: svc login has no team to pair a machine with otherwise. */
const renderMachine = (publicUrl: string): Html => html`<h2>Connect this machine</h2>
<p>Run this on each machine that should run jobs for you:</p>
<pre>svc login --cloud-url ${publicUrl}</pre>`;

/** What is left to do for an account that no identity of the company's issuer is connected to. */
async function renderConnection({ cloud, signOn }: PageEnv, userId: string): Promise<Html> {
  const issuer = await signOn.readIssuer();
  if (issuer === null || (await isConnected(cloud.database.sql, issuer.issuer, userId)))
    return html``;
  return html`<h2>Connect your account</h2>
<p>People now log in at ${toIssuerHost(issuer.issuer)}. Your account is not connected to it yet, and this login ends soon.</p>
<div class="actions"><a class="button" href="${toSignOnPath('/auth/home')}">Connect with ${toIssuerHost(issuer.issuer)}</a></div>`;
}
