import { existsSync } from 'node:fs';
import type { Browser, Page } from 'puppeteer-core';
import type { DashboardStage } from './dashboardStage.ts';

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';

/** Whether Firefox is installed; where it is not, what is left out is reported. */
export function hasFirefox(what: string): boolean {
  if (existsSync(FIREFOX)) return true;
  console.log(
    `left out: ${what}; there is no ${FIREFOX} (apt-get install firefox-esr, or set FIREFOX)`,
  );
  return false;
}

/** Firefox by WebDriver BiDi, the protocol that it has itself. */
export async function openFirefox(): Promise<Browser> {
  const { launch } = await import('puppeteer-core');
  return launch({ browser: 'firefox', executablePath: FIREFOX, headless: true });
}

/** A page at a hash such as `#/inbox`, logged in; `problems` gets what goes wrong in it. */
export async function firefoxPage(
  browser: Browser,
  stage: DashboardStage,
  hash: string,
  problems: string[],
): Promise<Page> {
  const page = await browser.newPage();
  await page.setViewport({ width: 1440, height: 900 });
  page.on('pageerror', (error) => problems.push(`error in the page: ${String(error)}`));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  const { path } = await stage.client.createLogin();
  await page.goto(`${stage.runner.url}${path}`);
  await page.goto(`${stage.runner.url}/dashboard/${hash}`);
  return page;
}
