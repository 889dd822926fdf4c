import type { Context, Middleware } from 'koa';
import { ERROR_CODES, SvcError } from '../../../base/errors/errors.ts';
import { toDatabaseFault } from '../../database/databaseFaults.ts';
import { AUTH_PREFIX, isIssuerPath } from '../issuer/issuerPaths.ts';
import { submitConnection } from './connectPage.ts';
import { showConsent, submitConsent } from './consentPage.ts';
import { showDevice, submitDevice } from './devicePage.ts';
import { html } from './html.ts';
import { showInvitation, submitInvitation } from './invitationPage.ts';
import { showLogin, submitLogin, submitLogout } from './loginPage.ts';
import { showOwnerForm, submitOwnerForm } from './ownerPage.ts';
import type { PageCall, PageEnv } from './pageEnv.ts';
import { renderPage, sendStyle, STYLE_PATH } from './renderPage.ts';
import { showPasswordForm, submitPasswordForm } from './passwordPage.ts';
import { finishSignOn, startSignOn } from './signOnPage.ts';
import { showStart, submitTeam } from './startPage.ts';

type Answer = (env: PageEnv, call: PageCall) => Promise<void>;

interface PageRoute {
  /** The last part is a secret where the page has one. */
  path: RegExp;
  get?: Answer;
  post?: Answer;
}

const PAGES: readonly PageRoute[] = [
  { path: /^\/auth\/login$/, get: showLogin, post: submitLogin },
  { path: /^\/auth\/logout$/, post: submitLogout },
  { path: /^\/auth\/sign-on$/, get: startSignOn },
  { path: /^\/auth\/callback$/, get: finishSignOn },
  { path: /^\/auth\/connect$/, post: submitConnection },
  { path: /^\/auth\/home$/, get: showStart, post: submitTeam },
  { path: /^\/auth\/password\/([\w-]{1,64})$/, get: showPasswordForm, post: submitPasswordForm },
  { path: /^\/auth\/owner\/([\w-]{1,64})$/, get: showOwnerForm, post: submitOwnerForm },
  { path: /^\/auth\/invitation\/([\w-]{1,64})$/, get: showInvitation, post: submitInvitation },
  { path: /^\/auth\/interaction\/([\w-]{1,64})$/, get: showConsent, post: submitConsent },
  { path: /^\/auth\/device$/, get: showDevice, post: submitDevice },
];

/** Everything below `/auth`: the authorization server, and the pages of people. */
export const answerAuth =
  (env: PageEnv): Middleware =>
  async (ctx) => {
    if (isIssuerPath(ctx.path.slice(AUTH_PREFIX.length))) {
      await env.issuer.answer(ctx.req, ctx.res);
      // It has written to the response itself. Not before: until then a silent database is noticed.
      ctx.respond = false;
      return;
    }
    if (ctx.path === STYLE_PATH && ctx.method === 'GET') return sendStyle(ctx);
    try {
      await answerPage(env, ctx);
    } catch (thrown) {
      const error = toDatabaseFault(thrown);
      if (!(error instanceof SvcError) || !ctx.accepts('html', 'json')?.toString().includes('html'))
        throw error;
      if (error.status >= 500)
        env.cloud.log.error({ err: thrown, code: error.code }, error.message);
      renderPage(ctx, {
        title: ERROR_CODES[error.code][1],
        status: error.status,
        body: html`<p role="alert">${error.message}</p>`,
      });
    }
  };

async function answerPage(env: PageEnv, ctx: Context): Promise<void> {
  for (const { path, get, post } of PAGES) {
    const match = path.exec(ctx.path);
    if (match === null) continue;
    const answer = ctx.method === 'GET' ? get : ctx.method === 'POST' ? post : undefined;
    if (answer === undefined) {
      ctx.set('Allow', [get && 'GET', post && 'POST'].filter(Boolean).join(', '));
      throw new SvcError('method-not-allowed', 'This address does not take this method.');
    }
    const call = { ctx, session: await env.sessions.find(ctx), secret: match[1] ?? '' };
    return answer(env, call);
  }
  throw new SvcError('not-found', 'This page does not exist.');
}
