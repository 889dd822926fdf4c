import { SvcError } from '../../../base/errors/errors.ts';
import { findAddress } from '../../server/findAddress.ts';
import {
  allowDevice,
  denyDevice,
  findDevice,
  type WaitingDevice,
} from '../issuer/waitingDevices.ts';
import { MOST_CODE_TRIES, takeTry } from '../limitTries.ts';
import type { BrowserSession } from '../sessions/browserSessions.ts';
import { createGrant, renderPowers } from './consentPage.ts';
import { renderAlert, renderField, renderHidden } from './fields.ts';
import { html } from './html.ts';
import { renderLoginFirst } from './loginPage.ts';
import { type PageCall, type PageEnv, readOwnForm } from './pageEnv.ts';
import { renderPage } from './renderPage.ts';

function renderCodeForm(call: PageCall, csrf: string, alert: string | null, status = 200): void {
  renderPage(call.ctx, {
    title: 'Log in another machine',
    status,
    body: html`<p>Type the code that <code>svc login</code> shows on that machine.</p>
${renderAlert(alert)}
<form method="post">
${renderHidden('csrf', csrf)}
${renderField({ name: 'code', label: 'Code', type: 'text', autocomplete: 'off', className: 'code', autofocus: true })}
<div class="actions"><button>Continue</button></div>
</form>`,
  });
}

const describeAge = (ms: number): string => {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  return minutes < 1
    ? 'less than a minute ago'
    : `${minutes} ${minutes === 1 ? 'minute' : 'minutes'} ago`;
};

function renderQuestion(
  { cloud }: PageEnv,
  { ctx }: PageCall,
  { person, csrf }: BrowserSession,
  device: WaitingDevice,
  code: string,
): void {
  renderPage(ctx, {
    title: 'Allow this machine?',
    body: html`<dl>
<dt>Machine</dt><dd>${device.name ?? 'did not say its name'}</dd>
<dt>Address</dt><dd>${device.address}</dd>
<dt>Asked</dt><dd>${describeAge(cloud.clock.now() - device.askedAt)}</dd>
<dt>As</dt><dd>${person.name} (${person.email})</dd>
</dl>
${renderPowers()}
<p>Allow it only if you have run <code>svc login</code> on this machine yourself. If someone sent you the code, deny it.</p>
<form method="post">
${renderHidden('csrf', csrf)}
${renderHidden('code', code)}
<div class="actions"><button name="answer" value="allow">Allow</button> <button class="quiet" name="answer" value="deny">Deny</button></div>
</form>`,
  });
}

/** A code in the address is not filled in: only who sees the machine's screen should know it. */
export async function showDevice(env: PageEnv, call: PageCall): Promise<void> {
  if (call.session === null) return renderLoginFirst(env, call);
  renderCodeForm(call, call.session.csrf, null);
}

export async function submitDevice(env: PageEnv, call: PageCall): Promise<void> {
  const { ctx, session } = call;
  if (session === null) return renderLoginFirst(env, call);
  const { code = '', answer } = await readOwnForm(env, call);
  const device = await findTypedDevice(env, call, session, code);
  if (device === null) return;
  if (answer === undefined) return renderQuestion(env, call, session, device, code);
  const isAllowed =
    answer === 'allow' &&
    (await allowDevice(env.cloud, device, {
      userId: session.person.userId,
      grantId: await createGrant(env, session.person.userId),
    }));
  if (answer !== 'allow') await denyDevice(env.cloud, device);
  renderPage(ctx, {
    title: isAllowed ? 'The machine is logged in' : 'The machine is not logged in',
    body: isAllowed
      ? html`<p>Continue there. You can close this page.</p>`
      : html`<p>It was refused. You can close this page.</p>`,
  });
}

/** null = the page was shown again, with why. */
async function findTypedDevice(
  { cloud }: PageEnv,
  call: PageCall,
  { person, csrf }: BrowserSession,
  code: string,
): Promise<WaitingDevice | null> {
  const keys = [`code address ${findAddress(call.ctx.req)}`, `code person ${person.userId}`];
  try {
    const giveBack = await takeTry(cloud, keys, MOST_CODE_TRIES);
    const device = await findDevice(cloud, code);
    if (device === null) {
      renderCodeForm(
        call,
        csrf,
        'No machine waits with this code. Check it, or run svc login again for a new one.',
        422,
      );
      return null;
    }
    await giveBack();
    return device;
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'rate-limited') throw error;
    call.ctx.set('Retry-After', String(error.data.retryAfterSeconds ?? 60));
    renderCodeForm(call, csrf, error.message, 429);
    return null;
  }
}
