import { html } from './html.ts';
import { renderHidden } from './fields.ts';
import { renderPage } from './renderPage.ts';
import type { PageCall, PageEnv } from './pageEnv.ts';
import { renderLoginFirst } from './loginPage.ts';
import { listTeams } from '../teams/teams.ts';

/** The page after a login: the person's teams, and how a machine is connected. */
export async function showStart(env: PageEnv, call: PageCall): Promise<void> {
  const { ctx, session } = call;
  if (session === null) return renderLoginFirst(env, call);
  const teams = await listTeams(env.cloud, session.person.userId);
  renderPage(ctx, {
    title: `Welcome, ${session.person.name}`,
    body: html`<p>You are logged in as ${session.person.email}.</p>
<h2>Your teams</h2>
${
  teams.length === 0
    ? html`<p>You are not in a team. Ask an admin of one for an invitation.</p>`
    : html`<ul>${teams.map(({ name, slug, role }) => html`<li><a href="/t/${slug}/">${name}</a> <small>${role}</small></li>`)}</ul>`
}
<h2>Connect this machine</h2>
<p>Run this on each machine that should run jobs for you:</p>
<pre>svc login --cloud-url ${env.cloud.publicUrl}</pre>
<form method="post" action="/auth/logout">
${renderHidden('csrf', session.csrf)}
<div class="actions"><button class="quiet">Log out</button></div>
</form>`,
  });
}
