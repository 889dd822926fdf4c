import type { Page } from 'playwright-core';

/** Closes the context of a page. A request whose route is still at work then is no failure of the test. */
export async function closePage(page: Page): Promise<void> {
  const context = page.context();
  for (const open of context.pages()) await open.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
}
