import type { ChartNode } from '../../../contract/schema/workflow/machine.ts';
import { formatStateName, collectDrawnArrows } from './describeArrow.ts';

/** Escapes characters with a meaning in Mermaid as its entities. */
const escapeMermaidText = (text: string): string =>
  text.replace(/\p{C}/gu, ' ').replace(/[#;:"<>{}`\\]/g, (char) => `#${char.codePointAt(0)};`);

export function renderMermaidChart(chart: ChartNode): string {
  const ids = new Map(chart.states.map(({ path }, index) => [path, `s${index}`]));
  const initial = ids.get(chart.initial ?? '');
  const lines = ['stateDiagram-v2', '  direction TB'];
  for (const { path, type, description } of chart.states) {
    if (type === 'final') continue;
    lines.push(`  state "${escapeMermaidText(formatStateName(path))}" as ${ids.get(path)}`);
    if (description !== null) lines.push(`  ${ids.get(path)} : ${escapeMermaidText(description)}`);
  }
  const end = new Set(chart.states.filter(({ type }) => type === 'final').map(({ path }) => path));
  if (initial !== undefined) lines.push(`  [*] --> ${initial}`);
  for (const { from, to, labels } of collectDrawnArrows(chart)) {
    lines.push(
      `  ${ids.get(from)} --> ${end.has(to) ? '[*]' : ids.get(to)} : ${escapeMermaidText(labels.join(', '))}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
