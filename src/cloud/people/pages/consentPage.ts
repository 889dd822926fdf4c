import { SvcError } from '../../../base/errors/errors.ts';
import { API_SCOPE, CLI_CLIENT_ID } from '../issuer/issuerConfiguration.ts';
import { renderHidden } from './fields.ts';
import { html, type Html } from './html.ts';
import { renderLoginFirst } from './loginPage.ts';
import { type PageCall, type PageEnv, readOwnForm } from './pageEnv.ts';
import { renderPage } from './renderPage.ts';

/** Where the command line waits for the answer of a login: a port of this machine (RFC 8252, 7.3). */
const LOOPBACK_TARGET = 'http://127.0.0.1:*';

/** What a login of the command line may do, in words. */
export const renderPowers = (): Html =>
  html`<p>It will be able to do everything that your roles allow: see your teams' jobs, start and answer them, and connect runners. You can end it with <code>svc logout</code>.</p>`;

const createGoneError = (): SvcError =>
  new SvcError('not-possible-now', 'This login is no longer open. Run svc login again.');

/** The authorization that the address and the cookie name together. */
async function findInteraction(env: PageEnv, { ctx, secret }: PageCall) {
  const provider = await env.issuer.provider();
  const details = await provider.interactionDetails(ctx.req, ctx.res).catch((error: unknown) => {
    if (error instanceof env.issuer.errors.SessionNotFound) throw createGoneError();
    throw error;
  });
  if (details.uid !== secret || details.params.client_id !== CLI_CLIENT_ID) throw createGoneError();
  return { provider, details };
}

export async function showConsent(env: PageEnv, call: PageCall): Promise<void> {
  const { details } = await findInteraction(env, call);
  const { ctx, session } = call;
  if (session === null) return renderLoginFirst(env, call);
  const device = details.params.device_name;
  renderPage(ctx, {
    title: 'Allow the command line?',
    formTargets: [LOOPBACK_TARGET],
    body: html`<p>svc on ${typeof device === 'string' ? html`<strong>${device}</strong>` : 'this machine'} wants to act as ${session.person.name} (${session.person.email}).</p>
${renderPowers()}
<p>Allow it only if you have just run <code>svc login</code> yourself.</p>
<form method="post">
${renderHidden('csrf', session.csrf)}
<div class="actions"><button name="answer" value="allow">Allow</button> <button class="quiet" name="answer" value="deny">Deny</button></div>
</form>`,
  });
}

export async function submitConsent(env: PageEnv, call: PageCall): Promise<void> {
  const { provider } = await findInteraction(env, call);
  const { ctx, session } = call;
  if (session === null) return renderLoginFirst(env, call);
  const { answer } = await readOwnForm(env, call);
  const result =
    answer === 'allow'
      ? {
          login: { accountId: session.person.userId, remember: false },
          consent: { grantId: await createGrant(env, session.person.userId) },
        }
      : { error: 'access_denied', error_description: 'The person did not allow it.' };
  ctx.status = 303;
  ctx.redirect(
    await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: false }),
  );
}

/** A grant of its own for each login of a machine. */
export async function createGrant(env: PageEnv, userId: string): Promise<string> {
  const provider = await env.issuer.provider();
  const grant = new provider.Grant({ accountId: userId, clientId: CLI_CLIENT_ID });
  grant.addResourceScope(env.cloud.publicUrl, API_SCOPE);
  return grant.save();
}
