import { type Compared, compare, judge, type Rounds, type Verdict } from './comparison.ts';
import { FIGURES, TARGETS } from './figures.ts';

export interface Report {
  facts: readonly string[];
  rounds: Readonly<Record<string, Rounds>>;
  failures: readonly string[];
}

/** A number with three digits that count, in the form people read. */
export const shown = (value: number): string =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(3)));

export function verdictsOf({ rounds }: Report): Verdict[] {
  return TARGETS.flatMap((target) => {
    const of = rounds[target.figure];
    if (!of?.[target.peer]) return [];
    return [judge(target, compare(of)[target.peer]?.ratio ?? null)];
  });
}

const rowOf = (name: string, { median, min, max, ratio }: Compared): string[] =>
  Number.isNaN(median)
    ? [name, '-', '-', '-']
    : [
        name,
        shown(median),
        `${shown(min)} – ${shown(max)}`,
        ratio === null ? '' : `${shown(ratio)} ×`,
      ];

const tableOf = (head: string[], rows: string[][]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map((_, n) => (n === 0 ? '---' : '---:')).join('|')}|`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
];

const sentenceOf = ({ figure, peer, better, must, aim, ratio, reached }: Verdict): string[] => {
  const sign = better === 'more' ? '≥' : '≤';
  return [
    `${figure}, svc / ${peer}`,
    `${sign} ${must} ×`,
    `${sign} ${aim} ×`,
    ratio === null ? '-' : `${shown(ratio)} ×`,
    reached,
  ];
};

/** The tables as Markdown: one for each figure, then the targets. */
export function markdownOf(report: Report): string {
  const parts: string[][] = [report.facts.map((fact) => `- ${fact}`)];
  for (const { name, title, unit } of FIGURES) {
    const rounds = report.rounds[name];
    if (!rounds) continue;
    const rows = Object.entries(compare(rounds)).map(([who, of]) => rowOf(who, of));
    const head = [`${title} (\`${name}\`)`, `median, ${unit}`, 'min – max', 'svc / it'];
    parts.push(tableOf(head, rows));
  }
  const verdicts = verdictsOf(report);
  if (verdicts.length > 0)
    parts.push(tableOf(['Target', 'must', 'aim', 'measured', 'reached'], verdicts.map(sentenceOf)));
  if (report.failures.length > 0) parts.push(report.failures.map((line) => `- failed: ${line}`));
  return parts.map((lines) => lines.join('\n')).join('\n\n');
}

export function jsonOf(report: Report): string {
  const figures = FIGURES.flatMap(({ name, unit }) => {
    const rounds = report.rounds[name];
    return rounds ? [[name, { unit, rounds, compared: compare(rounds) }] as const] : [];
  });
  const { facts, failures } = report;
  return JSON.stringify({
    facts,
    figures: Object.fromEntries(figures),
    verdicts: verdictsOf(report),
    failures,
  });
}
