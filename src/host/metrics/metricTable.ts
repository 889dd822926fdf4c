export type MetricType = 'gauge' | 'counter' | 'histogram';

/** A metric: name without the prefix `svc_`, in base units. */
export interface MetricSpec {
  type: MetricType;
  /** Names of labels; each has few values, and never a job, a text or a secret. */
  labels: readonly string[];
  help: string;
  /** Upper limits of the buckets of a histogram. */
  buckets?: readonly number[];
}

/** From one to sixty-four times as long: a second to a week. */
const LONG_SECONDS = [1, 10, 60, 300, 900, 3_600, 14_400, 43_200, 86_400, 259_200, 604_800];
const SESSION_SECONDS = [1, 5, 15, 60, 180, 300, 600, 1_200, 1_800, 3_600, 7_200];
const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

/** Every metric, for the registry and docs/reference/metrics.md; released names keep meaning. */
export const METRICS = {
  build_info: {
    type: 'gauge',
    labels: ['version'],
    help: 'Always 1; the label is the release of svc.',
  },
  jobs: {
    type: 'gauge',
    labels: ['state', 'waits_for'],
    help: 'Jobs now. state: queued, working, waiting, complete, partial, failed, cancelled. waits_for, of waiting ones: approval, input, external, halted, budget, review, or other; empty otherwise.',
  },
  oldest_seconds: {
    type: 'gauge',
    labels: ['state', 'waits_for'],
    help: 'How long the job that has been in this state longest has been in it.',
  },
  slots: {
    type: 'gauge',
    labels: ['kind'],
    help: 'Slots: used by jobs that work, and limit (runner.maxConcurrentJobs).',
  },
  waits_seconds: {
    type: 'histogram',
    labels: ['kind'],
    help: 'How long jobs were parked, counted when a wait ends. kind: approval, event, developer, paused, subRuns, quota, budget, outage and others.',
    buckets: LONG_SECONDS,
  },
  sessions_running: { type: 'gauge', labels: [], help: 'Agent sessions that run now.' },
  sessions_started_total: {
    type: 'counter',
    labels: [],
    help: 'Agent sessions that were opened, restarts included.',
  },
  sessions_ended_total: {
    type: 'counter',
    labels: ['reason'],
    help: 'Agent sessions that have ended, by their stop reason.',
  },
  session_seconds: {
    type: 'histogram',
    labels: [],
    help: 'Duration of agent sessions that have ended.',
    buckets: SESSION_SECONDS,
  },
  model_tokens_total: {
    type: 'counter',
    labels: ['provider', 'model', 'kind'],
    help: 'Tokens of the ledger. kind: input, output, cached_input, cache_write, reasoning; the last three are part of the first two.',
  },
  model_calls_total: {
    type: 'counter',
    labels: ['provider', 'model'],
    help: 'Calls of models in the ledger.',
  },
  model_calls_unpriced_total: {
    type: 'counter',
    labels: ['provider', 'model'],
    help: 'Calls of them whose price is unknown; they are not part of the cost.',
  },
  cost_dollars_total: {
    type: 'counter',
    labels: ['provider', 'model'],
    help: 'Cost of metered calls in dollars.',
  },
  commits_total: {
    type: 'counter',
    labels: ['outcome'],
    help: 'Commits of the kernel: ok or failed.',
  },
  commit_seconds: {
    type: 'histogram',
    labels: [],
    help: 'Time of a commit of the kernel.',
    buckets: COMMIT_SECONDS,
  },
  state_bytes: {
    type: 'gauge',
    labels: ['file'],
    help: 'Size of the state: database and write-ahead log (wal).',
  },
  disk_free_bytes: {
    type: 'gauge',
    labels: ['folder'],
    help: 'Free space of the disk of the home, and of the folder of the jobs (work).',
  },
  known_age_seconds: {
    type: 'gauge',
    labels: ['of'],
    help: 'How old the values of disks (disk) and forges (forges) are. They are read every minute, and no scrape waits for them.',
  },
  broken_rows: {
    type: 'gauge',
    labels: ['table'],
    help: 'Unreadable rows of the state found since the start, at most 1,000. svc doctor --fix repairs them.',
  },
  forge_requests_total: {
    type: 'counter',
    labels: ['forge'],
    help: 'Requests to the account of a forge.',
  },
  forge_requests_limit: {
    type: 'gauge',
    labels: ['forge', 'resource'],
    help: 'Requests that the account may make, as the forge last reported.',
  },
  forge_requests_remaining: {
    type: 'gauge',
    labels: ['forge', 'resource'],
    help: 'Requests of them that are left.',
  },
  forge_reset_timestamp_seconds: {
    type: 'gauge',
    labels: ['forge', 'resource'],
    help: 'When the count begins again, Unix time.',
  },
  forge_usable: {
    type: 'gauge',
    labels: ['forge'],
    help: '1 where a forge can be used, else 0.',
  },
  deprecated_uses_total: {
    type: 'counter',
    labels: ['name'],
    help: 'Uses of older names on this home, of the command line too.',
  },
} as const satisfies Record<string, MetricSpec>;

export type MetricName = keyof typeof METRICS;

export const toScrapeName = (name: string): string => `svc_${name}`;
