import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { BrowserContext, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';

const test = suite('browser: logging in');

const PLANS = `tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# A plan' });`;
const LOGGED_OUT = { storageState: { cookies: [], origins: [] } };
const NOTICE = 'This browser is not logged in.';

/** A server on another port of the same host: the headers that a browser sends to it. */
async function headersAtAnotherPort(context: BrowserContext): Promise<IncomingHttpHeaders> {
  let got: IncomingHttpHeaders = {};
  const server = createServer((req, res) => {
    got = req.headers;
    res.end('hello');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`);
  assert.equal(await page.evaluate('Object.keys(localStorage)'), []);
  await page.close();
  server.close();
  return got;
}

if (hasBrowser('logging in')) {
  const stage = await DashboardStage.open({ plans: PLANS });
  test.after(() => stage.close());
  const id = await stage.job('plans', 'Plan something');
  await stage.until(id, ({ parked }) => parked?.kind === 'approval');
  const link = async (): Promise<string> =>
    `${stage.runner.url}${(await stage.client.createLogin()).path}`;
  const message = (page: Page) => page.getByLabel('Message to the agent');
  const send = (page: Page) => message(page).press('Control+Enter');

  test('without a login the page can be read; a refused message keeps its text, and is sent after a login in another tab', async () => {
    const page = await stage.page(`#/jobs/${id}`, LOGGED_OUT);
    await message(page).fill('Mind the tests');
    await send(page);
    await page.getByText(NOTICE).first().waitFor();
    await page.getByText('svc open').first().waitFor();
    assert.is(await message(page).inputValue(), 'Mind the tests');
    assert.ok(await page.getByRole('heading', { name: 'Plan something' }).isVisible());

    const other = await page.context().newPage();
    await other.goto(await link());
    await other.locator('.inbox-row').first().waitFor();
    assert.match(other.url(), /\/dashboard\/#\/inbox/, 'the key is out of the address');
    await page.locator('.page-notice-text').waitFor({ state: 'detached' });
    await send(page);
    await page.locator('p.said', { hasText: 'Mind the tests' }).waitFor();
    assert.equal(
      (await stage.client.messages(id)).messages.map(({ text }) => text),
      ['Mind the tests'],
    );
    await closePage(page);
  });

  test('the link pasted into the notice logs the page in where it is; a wrong one is refused with what to do', async () => {
    const page = await stage.page(`#/jobs/${id}`, LOGGED_OUT);
    await message(page).fill('One more thing');
    await send(page);
    const field = page.getByLabel('Link from svc open');
    await field.fill(`${stage.runner.url}/login/${'x'.repeat(43)}`);
    await field.press('Enter');
    await page.getByText('has been used or has expired').waitFor();
    await field.fill(await link());
    await field.press('Enter');
    await page.locator('.page-notice-text').waitFor({ state: 'detached' });
    assert.is(await message(page).inputValue(), 'One more thing');
    await closePage(page);
  });

  test('a server on another port gets only the cookie, and can change nothing with it', async () => {
    // An earlier message has sent it back to its agent: until it asks again, no row waits.
    await stage.until(id, ({ parked }) => parked?.kind === 'approval');
    const page = await stage.page('#/jobs', LOGGED_OUT);
    await page.goto(await link());
    await page.locator('.inbox-row').first().waitFor();
    const { cookie = '' } = await headersAtAnotherPort(page.context());
    assert.match(cookie, /^svc_login_\d+=[\w-]{43}$/);
    assert.not.match(cookie, stage.runner.token);
    const tries: Record<string, string>[] = [
      { Cookie: cookie },
      { Authorization: `Bearer ${cookie.split('=')[1]}` },
    ];
    for (const headers of tries) {
      const post = {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: '{"eventKey":"approve"}',
      };
      assert.is((await fetch(`${stage.runner.url}/jobs/${id}/resume`, post)).status, 401);
      assert.is(
        (await fetch(`${stage.runner.url}/config`, { ...post, method: 'PUT', body: '{}' })).status,
        401,
      );
    }
    await stage.until(id, ({ parked }) => parked?.kind === 'approval');
    await page.goto(`${stage.runner.url}/dashboard/jobs/${id}`);
    await page
      .getByRole('button', { name: /Approve/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await stage.until(id, ({ parked }) => parked?.kind !== 'approval');
    assert.is(
      page.url(),
      `${stage.runner.url}/dashboard/#/jobs/${id}`,
      'a deep link opens its page',
    );
    await closePage(page);
  });
}

test.run();
