import {
  CLOUD_METRICS,
  toCloudScrapeName,
} from '../../src/cloud/server/metrics/cloudMetricTable.ts';
import { toScrapeName, METRICS, type MetricSpec } from '../../src/host/metrics/metricTable.ts';

const renderRows = (
  metrics: Readonly<Record<string, MetricSpec>>,
  toName: (name: string) => string,
): string =>
  Object.entries(metrics)
    .map(
      ([name, { type, labels, help }]) =>
        `| \`${toName(name)}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
    )
    .join('\n');

export function metricsPage(): string {
  return `# Metrics

\`GET /metrics\` in the text format of Prometheus; [Watch with Prometheus](../operations/metrics.md) says how
to read it. Names, types and labels stay as they are within 0.2.x. Times are in seconds, sizes in
bytes, costs in dollars. Beside these there are \`process_*\` and \`nodejs_*\` of the process.

Counters that svc keeps on the disk (tokens, calls, cost, deprecated uses) continue over restarts; the
others begin at 0 with each start, as Prometheus expects.

| Name | Type | Labels | Meaning |
|---|---|---|---|
${renderRows(METRICS, toScrapeName)}

## Of a control plane

Each node answers \`GET /metrics\` with figures of its own; [the control plane](../operations/control-plane.md#metrics)
says who may read them. Counters begin at 0 with each start.

| Name | Type | Labels | Meaning |
|---|---|---|---|
${renderRows(CLOUD_METRICS, toCloudScrapeName)}
`;
}
