import type { Page } from 'playwright-core';

/** Opens a pull request of one file, and waits for what comes of it. */
export const OFFERS = `
const branch = 'change-' + process.pid;
git('switch', '--quiet', '-c', branch);
writeFileSync('offered-' + process.pid + '.txt', 'one\\ntwo\\n');
git('add', '--all'); git('commit', '--quiet', '-m', 'offer');
const pr = tool('local_create_pr', { head: branch, title: 'Offer a file', body: '' });
tool('await_event', { prId: pr.prId });
`;

export const row = (page: Page, title: string) => page.locator('.inbox-row', { hasText: title });
export const findOpened = (page: Page) => page.locator('.inbox-open');
export const title = (page: Page) => findOpened(page).locator('.open-head h2');

/** Each answer about a job comes when the page has drawn what it shows while it reads. */
export const slowDown = (page: Page) =>
  page.route(/\/jobs\/[^/]+(\/why)?$/, async (route) => {
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    await route.continue();
  });

/** Notes each time at which the page is without the list that it has now. */
export const watchList = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector('main');
    const list = document.querySelector('.inbox-list');
    const blanks: string[] = [];
    Object.assign(window, { blanks });
    if (main === null || list === null) throw new Error('no list to watch');
    new MutationObserver(() => {
      if (!main.contains(list)) blanks.push(main.textContent?.slice(0, 40) ?? '');
    }).observe(main, { childList: true, subtree: true });
  });
export const blanks = (page: Page) =>
  page.evaluate(() => (Object.getOwnPropertyDescriptor(window, 'blanks')?.value ?? []) as string[]);

/** The runner refuses the next answer to a job, once `allow` is called; afterwards it is itself again. */
export async function refuseAnswer(page: Page): Promise<{ allow(): void; end(): Promise<void> }> {
  let allow: () => void = () => undefined;
  const allowed = new Promise<void>((resolve) => {
    allow = resolve;
  });
  await page.route('**/resume', async (route) => {
    await allowed;
    await route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        title: 'Conflict',
        status: 409,
        detail: 'Not now.',
        code: 'conflict',
      }),
    });
  });
  return { allow: () => allow(), end: () => page.unroute('**/resume') };
}
