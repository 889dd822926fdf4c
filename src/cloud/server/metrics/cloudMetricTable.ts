interface CloudMetricSpec {
  type: 'gauge' | 'counter' | 'histogram';
  /** Names of labels; each has few values, and never a team, a person, a text or a secret. */
  labels: readonly string[];
  help: string;
  /** Upper limits of the buckets of a histogram, seconds. */
  buckets?: readonly number[];
}

const COMMIT_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const DISPATCH_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 300, 900, 3_600, 14_400, 86_400];

/** Every metric of a control plane, for its registry and docs/reference/metrics.md. */
export const CLOUD_METRICS = {
  build_info: {
    type: 'gauge',
    labels: ['version'],
    help: 'Always 1; the label is the release of svc.',
  },
  database_up: {
    type: 'gauge',
    labels: [],
    help: '1 where the database answers this node, else 0.',
  },
  ready: {
    type: 'gauge',
    labels: [],
    help: '1 where this node takes requests, as GET /ready reports it, else 0.',
  },
  runners_connected: {
    type: 'gauge',
    labels: [],
    help: 'Runners that are connected to any node; missing while the database is away.',
  },
  node_runners_connected: {
    type: 'gauge',
    labels: [],
    help: 'Runners that are connected to this node.',
  },
  dispatches_waiting: {
    type: 'gauge',
    labels: ['reason'],
    help: 'Dispatches of all teams that wait, by the reason without its detail: no-runner, no-slot, no-label and others; missing while the database is away.',
  },
  dispatch_seconds: {
    type: 'histogram',
    labels: [],
    help: 'From the request for a job of a team to the job, for those that this node has sent.',
    buckets: DISPATCH_SECONDS,
  },
  commit_seconds: {
    type: 'histogram',
    labels: [],
    help: 'How long PostgreSQL took to store entries of a log of a home, those that were stored together counted once.',
    buckets: COMMIT_SECONDS,
  },
  entries_total: {
    type: 'counter',
    labels: [],
    help: 'Entries of logs of homes that this node has stored.',
  },
  secrets_refused_total: {
    type: 'counter',
    labels: ['operation'],
    help: 'Requests and labels that this node refused because they held a known form of token.',
  },
} as const satisfies Record<string, CloudMetricSpec>;

export type CloudMetricName = keyof typeof CLOUD_METRICS;

export const toCloudScrapeName = (name: string): string => `svc_cloud_${name}`;
