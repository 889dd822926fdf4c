import type { Context } from 'koa';
import { SvcError } from '../../../base/errors/errors.ts';
import type { CloudContext } from '../../server/cloudContext.ts';
import type { Issuer } from '../issuer/issuer.ts';
import type { BrowserSession, BrowserSessions } from '../sessions/browserSessions.ts';
import type { SignOn } from '../signOn/signOn.ts';
import { isSameToken } from '../sessions/formTokens.ts';
import { findVisit, openVisit } from '../sessions/visits.ts';
import { type Form, readForm } from './readForm.ts';

/** What the pages of `/auth` are made with. */
export interface PageEnv {
  cloud: CloudContext;
  issuer: Issuer;
  sessions: BrowserSessions;
  signOn: SignOn;
}

/** One request for a page. */
export interface PageCall {
  ctx: Context;
  session: BrowserSession | null;
  /** The end of the path, such as the secret of an invitation; empty for pages without one. */
  secret: string;
}

/** What the forms of this browser carry in `csrf`. */
export const openFormToken = ({ cloud }: PageEnv, { ctx, session }: PageCall): string =>
  session?.csrf ?? openVisit(ctx, cloud.ids, cloud.publicUrl);

/**
 * A form that a page of ours was shown with in this browser. Throws SvcError `foreign-origin` for
 * any other: another site may have sent it.
 */
export async function readOwnForm({ cloud }: PageEnv, { ctx, session }: PageCall): Promise<Form> {
  const form = await readForm(ctx);
  const expected = session?.csrf ?? findVisit(ctx, cloud.publicUrl);
  if (expected === null || !isSameToken(form.csrf ?? '', expected))
    throw new SvcError(
      'foreign-origin',
      'This form is no longer valid: it was open for too long, or you have logged in or out since. Go back, reload the page and try again.',
    );
  return form;
}
