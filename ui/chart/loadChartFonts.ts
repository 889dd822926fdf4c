import { FONTS } from './textWidth.ts';

/** The fonts of a chart's texts, loaded; texts that are measured before do not fit afterwards. */
export async function loadChartFonts(): Promise<void> {
  const family = getComputedStyle(document.documentElement).getPropertyValue('--sans');
  const weights = new Set(Object.values(FONTS).map(({ weight }) => weight));
  // A font that cannot be loaded is not drawn in either.
  await Promise.allSettled(
    [...weights].map((weight) => document.fonts.load(`${weight} 1rem ${family}`)),
  );
}
