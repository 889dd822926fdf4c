import { FONTS, type Measure, measureRoughly } from './textWidth.ts';

/** As wide as this screen draws a text, in the fonts of the theme. */
export function createScreenMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return measureRoughly;
  const style = getComputedStyle(document.documentElement);
  const family = {
    true: style.getPropertyValue('--mono') || 'monospace',
    false: style.getPropertyValue('--sans') || 'sans-serif',
  };
  const known = new Map<string, number>();
  return (text, role) => {
    const key = `${role} ${text}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const { weight, px, mono } = FONTS[role];
    context.font = `${weight} ${px}px ${family[`${mono}`]}`;
    const width = context.measureText(text).width;
    known.set(key, width);
    return width;
  };
}
