import { suggestClosestName } from '../../base/text/findClosestName.ts';
import type { SubRunInput } from '../../contract/schema/job/subRun.ts';
import type { Findings } from './findings.ts';
import type { KeyPath, Positions } from './positions.ts';

/** A sub-run with its place in the list of the file. */
export interface PlacedSubRun {
  index: number;
  spec: SubRunInput;
}

/**
 * Names along the first cycle, the first repeated at the end; null = no cycle. Linear in nodes and
 * edges.
 */
function findDependencyCycle(specs: ReadonlyMap<string, PlacedSubRun>): string[] | null {
  const doneNames = new Set<string>();
  for (const start of specs.keys()) {
    const path: { name: string; rest: string[] }[] = [];
    const onPath = new Set<string>();
    const enter = (name: string) => {
      onPath.add(name);
      path.push({ name, rest: [...(specs.get(name)?.spec.dependsOn ?? [])] });
    };
    if (!doneNames.has(start)) enter(start);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.rest.shift();
      if (next === undefined) {
        doneNames.add(top.name);
        onPath.delete(top.name);
        path.pop();
      } else if (onPath.has(next)) {
        const names = path.map(({ name }) => name);
        return [...names.slice(names.indexOf(next)), next];
      } else if (!doneNames.has(next) && specs.has(next)) enter(next);
    }
  }
  return null;
}

/** Reports duplicate and unknown names, and a cycle, whose sub-runs would all wait forever. */
export function checkSubRunDependencies(
  placedSubRuns: readonly PlacedSubRun[],
  positions: Positions,
  findings: Findings,
): void {
  const at = (index: number, ...rest: KeyPath): KeyPath => ['sub-runs', index, ...rest];
  const byName = new Map<string, PlacedSubRun>();
  for (const one of placedSubRuns) {
    const { name } = one.spec;
    if (byName.has(name))
      findings.error(
        'duplicate-sub-run',
        positions.value(at(one.index, 'name')),
        `The sub-run name ${name} is already used above.`,
        'Give each sub-run a unique name.',
      );
    else byName.set(name, one);
  }
  const names = [...byName.keys()];
  for (const { index, spec } of placedSubRuns) {
    for (const [nth, name] of (spec.dependsOn ?? []).entries()) {
      if (byName.has(name)) continue;
      findings.error(
        'unknown-sub-run',
        positions.value(at(index, 'dependsOn', nth)),
        `${spec.name} waits for ${JSON.stringify(name)}, which does not exist.`,
        suggestClosestName(name, names),
      );
    }
  }
  const around = findDependencyCycle(byName);
  const first = around && byName.get(around[0] ?? '');
  if (!first) return;
  findings.error(
    'circle-of-sub-runs',
    positions.value(
      at(first.index, 'dependsOn', first.spec.dependsOn?.indexOf(around[1] ?? '') ?? 0),
    ),
    `These sub-runs wait for each other: ${around.join(' -> ')}.`,
    'Remove one of these names from dependsOn.',
  );
}
