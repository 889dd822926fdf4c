import type { ChartNode } from '../../../contract/schema/workflow/machine.ts';
import { describeArrow, type DrawnArrow } from './describeArrow.ts';

export function collectDrawnArrows({ states }: ChartNode): DrawnArrow[] {
  const known = new Set(states.map(({ path }) => path));
  const drawn = new Map<string, DrawnArrow>();
  for (const { path: from, arrows } of states) {
    for (const arrow of arrows) {
      for (const to of arrow.targets) {
        if (!known.has(to)) continue;
        const key = JSON.stringify([from, to]);
        const one = drawn.get(key) ?? { from, to, labels: [] };
        const label = describeArrow(arrow);
        if (!one.labels.includes(label)) one.labels.push(label);
        drawn.set(key, one);
      }
    }
  }
  return [...drawn.values()];
}
