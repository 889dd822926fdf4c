import type { ChartArrow, ChartNode } from '../../../src/contract/schema/workflow/machine.ts';

/** Escapes characters with a meaning in Mermaid texts as entities. */
const escapeLabel = (text: string): string =>
  text.replace(/\p{C}/gu, ' ').replace(/[#;:"<>{}`\\]/g, (char) => `#${char.codePointAt(0)};`);

const describeTrigger = ({ event, guard }: ChartArrow): string => {
  const trigger = event === '' ? 'always' : event;
  return guard ? `${trigger} [${guard.name}]` : trigger;
};

const listNodes = (node: ChartNode): ChartNode[] => [node, ...node.states.flatMap(listNodes)];

/** Declares the states within a node, at every depth. */
const declareStates = (
  node: ChartNode,
  ids: ReadonlyMap<string, string>,
  indent: string,
): string[] => {
  const lines = node.states.flatMap((state, index) => {
    const head = `${indent}state "${escapeLabel(state.name)}" as ${ids.get(state.path)}`;
    const region = node.type === 'parallel' && index > 0 ? [`${indent}--`] : [];
    if (state.states.length === 0) return [...region, head];
    return [...region, `${head} {`, ...declareStates(state, ids, `${indent}  `), `${indent}}`];
  });
  const initial = node.initial === null ? undefined : ids.get(node.initial);
  return initial === undefined ? lines : [`${indent}[*] --> ${initial}`, ...lines];
};

/**
 * A chart of actors as a Mermaid state diagram with nested states. Transitions with the same source
 * and target are one arrow; those without a change of state are omitted.
 */
export function renderMachineDiagram(chart: ChartNode): string {
  const nodes = listNodes(chart);
  const ids = new Map(nodes.map(({ path }, index) => [path, `s${index}`]));
  const labels = new Map<string, Set<string>>();
  for (const { path, arrows } of nodes)
    for (const arrow of arrows)
      for (const target of arrow.targets) {
        const key = `  ${ids.get(path)} --> ${ids.get(target)}`;
        const labelTexts = labels.get(key) ?? new Set();
        labels.set(key, labelTexts.add(escapeLabel(describeTrigger(arrow))));
      }
  const arrows = [...labels]
    // The root is the diagram itself: Mermaid draws no arrow from it.
    .filter(([key]) => !key.startsWith(`  ${ids.get(chart.path)} `))
    .map(([key, texts]) => `${key} : ${[...texts].join(', ')}`);
  return `${['stateDiagram-v2', ...declareStates(chart, ids, '  '), ...arrows].join('\n')}\n`;
}
