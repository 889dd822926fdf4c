import { type ComparedValues, compare, judge, type Rounds, type Verdict } from './comparison.ts';
import { FIGURES, TARGETS } from './figures.ts';

export interface Report {
  facts: readonly string[];
  rounds: Readonly<Record<string, Rounds>>;
  failures: readonly string[];
}

/** A number with three digits that count, in the form people read. */
export const formatFigure = (value: number): string =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(3)));

export function listVerdicts({ rounds }: Report): Verdict[] {
  return TARGETS.flatMap((target) => {
    const of = rounds[target.figure];
    if (!of?.[target.peer]) return [];
    return [judge(target, compare(of)[target.peer]?.ratio ?? null)];
  });
}

const formatRow = (name: string, { median, min, max, ratio }: ComparedValues): string[] =>
  Number.isNaN(median)
    ? [name, '-', '-', '-']
    : [
        name,
        formatFigure(median),
        `${formatFigure(min)} – ${formatFigure(max)}`,
        ratio === null ? '' : `${formatFigure(ratio)} ×`,
      ];

const formatTable = (head: string[], rows: string[][]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map((_, n) => (n === 0 ? '---' : '---:')).join('|')}|`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
];

const formatVerdict = ({ figure, peer, better, must, aim, ratio, reached }: Verdict): string[] => {
  const sign = better === 'more' ? '≥' : '≤';
  return [
    `${figure}, svc / ${peer}`,
    `${sign} ${must} ×`,
    `${sign} ${aim} ×`,
    ratio === null ? '-' : `${formatFigure(ratio)} ×`,
    reached,
  ];
};

/** The tables as Markdown: one for each figure, then the targets. */
export function formatMarkdown(report: Report): string {
  const parts: string[][] = [report.facts.map((fact) => `- ${fact}`)];
  for (const { name, title, unit } of FIGURES) {
    const rounds = report.rounds[name];
    if (!rounds) continue;
    const rows = Object.entries(compare(rounds)).map(([who, of]) => formatRow(who, of));
    const head = [`${title} (\`${name}\`)`, `median, ${unit}`, 'min – max', 'svc / it'];
    parts.push(formatTable(head, rows));
  }
  const verdicts = listVerdicts(report);
  if (verdicts.length > 0)
    parts.push(
      formatTable(['Target', 'must', 'aim', 'measured', 'reached'], verdicts.map(formatVerdict)),
    );
  if (report.failures.length > 0) parts.push(report.failures.map((line) => `- failed: ${line}`));
  return parts.map((lines) => lines.join('\n')).join('\n\n');
}

export function formatJson(report: Report): string {
  const figures = FIGURES.flatMap(({ name, unit }) => {
    const rounds = report.rounds[name];
    return rounds ? [[name, { unit, rounds, compared: compare(rounds) }] as const] : [];
  });
  const { facts, failures } = report;
  return JSON.stringify({
    facts,
    figures: Object.fromEntries(figures),
    verdicts: listVerdicts(report),
    failures,
  });
}
