import { toScrapeName, METRICS, type MetricSpec } from '../../src/host/metrics/metricTable.ts';

export function metricsPage(): string {
  const rows = Object.entries<MetricSpec>(METRICS).map(
    ([name, { type, labels, help }]) =>
      `| \`${toScrapeName(name)}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
  );
  return `# Metrics

\`GET /metrics\` in the text format of Prometheus; [Watch with Prometheus](../operations/metrics.md) says how
to read it. Names, types and labels stay as they are within 0.2.x. Times are in seconds, sizes in
bytes, costs in dollars. Beside these there are \`process_*\` and \`nodejs_*\` of the process.

Counters that svc keeps on the disk (tokens, calls, cost, deprecated uses) continue over restarts; the
others begin at 0 with each start, as Prometheus expects.

| Name | Type | Labels | Meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}
