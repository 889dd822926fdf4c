import type { Environment } from '../../src/host/config/home/env.ts';

/** `--open` and `--no-open`; undefined = neither was given. */
export type OpenFlag = boolean | undefined;

/**
 * Whether `svc start` opens a browser. The flags decide first, then SVC_NO_OPEN=1; without them it
 * opens unless no one would see it: CI=true, over SSH, or on Linux without a display.
 */
export function shouldOpenBrowser(
  flag: OpenFlag,
  browser: Environment['browser'],
  platform: NodeJS.Platform,
): boolean {
  if (flag !== undefined) return flag;
  if (browser.suppressed || browser.ci || browser.ssh) return false;
  return platform !== 'linux' || browser.display;
}

/** Opens the page; false if no browser could be started. Never throws. */
export async function openBrowser(url: string): Promise<boolean> {
  try {
    const { default: open } = await import('open');
    const child = await open(url);
    child.on('error', () => {});
    return true;
  } catch {
    return false;
  }
}
