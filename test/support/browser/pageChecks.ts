import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AxeResults, NodeResult as AxeNode } from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';

const ROOT = join(import.meta.dirname, '..', '..', '..');

export const PICTURES = join(ROOT, 'node_modules/.cache/svc/screenshots');

export interface Look {
  name: string;
  width: number;
  height: number;
  colorScheme: 'light' | 'dark';
  /** Device pixels of a CSS pixel; 2 on a window of half the width is a zoom of 200 %. Default: 1. */
  deviceScaleFactor?: number;
  forcedColors?: 'active';
  reducedMotion?: 'reduce';
}

/** How every page is checked by the tests: on a desktop and on a phone, light and dark. */
export const LOOKS: readonly Look[] = [
  { name: '390-dark', width: 390, height: 844, colorScheme: 'dark' },
  { name: '1440-light', width: 1440, height: 900, colorScheme: 'light' },
];

/** The others, which `npm run test:axe` checks too. */
export const OTHER_LOOKS: readonly Look[] = [
  { name: '1440-dark', width: 1440, height: 900, colorScheme: 'dark' },
  { name: '1024-light', width: 1024, height: 768, colorScheme: 'light' },
  { name: '390-light', width: 390, height: 844, colorScheme: 'light' },
  { name: '320-light', width: 320, height: 640, colorScheme: 'light' },
  { name: '200-percent', width: 720, height: 450, colorScheme: 'light', deviceScaleFactor: 2 },
  {
    name: 'forced-colours',
    width: 1440,
    height: 900,
    colorScheme: 'light',
    forcedColors: 'active',
  },
  {
    name: 'reduced-motion',
    width: 1440,
    height: 900,
    colorScheme: 'dark',
    reducedMotion: 'reduce',
  },
];

export const toContextOptions = ({
  name: _,
  width,
  height,
  ...options
}: Look): BrowserContextOptions => ({
  viewport: { width, height },
  reducedMotion: 'no-preference',
  ...options,
});

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const AXE = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8');

const TARGET_SIZE = 'target-size';

/**
 * Those of the targets that are still too small in the middle of the window: a bar that stays in
 * view covers half of whatever happens to be scrolled to its edge.
 */
async function smallInView(page: Page, nodes: readonly AxeNode[]): Promise<AxeNode[]> {
  const small: AxeNode[] = [];
  for (const node of nodes) {
    const selector = JSON.stringify(node.target);
    const { violations } = await page.evaluate<AxeResults>(`(async () => {
      document.querySelector(${selector}[0])?.scrollIntoView({ block: 'center' });
      return axe.run({ include: [${selector}] }, { runOnly: ['${TARGET_SIZE}'] });
    })()`);
    if (violations.length > 0) small.push(node);
  }
  return small;
}

/** Violations in words, and how far the page is wider than the window. */
export async function axeFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  // What is scrolled out to the left is invisible to axe: it would compare a name with half a text.
  const drawings = page.locator('.graph-scroll');
  const places = await drawings.evaluateAll((all) =>
    all.map((drawing) => {
      const place = { left: drawing.scrollLeft, top: drawing.scrollTop };
      drawing.scrollTo(0, 0);
      return place;
    }),
  );
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)}, resultTypes: ['violations'] })`,
  );
  await drawings.evaluateAll((all, back) => {
    for (const [index, drawing] of all.entries()) drawing.scrollTo(back[index]);
  }, places);
  const faults = await Promise.all(
    violations.map(async ({ id, nodes }) => {
      const small = id === TARGET_SIZE ? await smallInView(page, nodes) : nodes;
      return small.length === 0
        ? []
        : [`${id}: ${small.map(({ html }) => html.slice(0, 120)).join(' | ')}`];
    }),
  );
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return [...faults.flat(), ...(wider > 0 ? [`${wider} px wider than the window`] : [])];
}

export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}
