import { OLDEST_CHANNEL_VERSION } from '../../../contract/channel/limits.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { KnownRunner } from '../../runners/runnerDirectory.ts';

/** A runner with what dispatching knows of it. */
export interface Candidate extends KnownRunner {
  protocol: number;
  /** SHA-256 of the slugs of the repositories that it has. */
  repositories: readonly string[];
  /** Dispatches that occupy a slot which the runner has not reported as taken. */
  taken: number;
  /** When it was sent the last dispatch, epoch ms; 0 = never. */
  lastSentAt: number;
}

/** What a dispatch asks of a runner. */
export interface RunnerDemand {
  createdBy: string;
  labels: readonly string[];
  /** ID or name; null = any. */
  runner: string | null;
  repoSlug: string | null;
  forge: string | null;
  executor: string | null;
  /** Runners that have refused it. */
  refusedBy: readonly string[];
}

export type Choice =
  | { kind: 'send'; runnerId: string }
  | { kind: 'wait'; reason: string }
  /** Each runner that could take it has refused it. */
  | { kind: 'refused' };

/** Oldest channel over which a runner takes dispatches. */
const OLDEST_PROTOCOL = OLDEST_CHANNEL_VERSION;

const accepts = ({ accept, owner }: Candidate, createdBy: string): boolean =>
  accept === 'team' || (accept === 'own' && owner?.userId === createdBy);

const hasLabels = ({ labels }: Candidate, wantedLabels: readonly string[]): boolean =>
  wantedLabels.every((label) => labels.includes(label));

/** The label that is to blame: one that no runner has, else one that a runner with the others lacks. */
function findMissingLabel(runners: readonly Candidate[], wantedLabels: readonly string[]): string {
  const lacking = wantedLabels.find(
    (label) => !runners.some((runner) => runner.labels.includes(label)),
  );
  if (lacking !== undefined) return lacking;
  const [best] = runners
    .map(({ labels }) => wantedLabels.filter((label) => !labels.includes(label)))
    .sort((one, other) => one.length - other.length);
  return best?.[0] ?? '';
}

const countFree = ({ free, taken }: Candidate): number => (free ?? 0) - taken;

/** The runner that takes a dispatch now, or the first thing that stands against it. */
export function chooseRunner(request: RunnerDemand, runners: readonly Candidate[]): Choice {
  const { createdBy, labels, runner, repoSlug, forge, executor, refusedBy } = request;
  const wait = (reason: string): Choice => ({ kind: 'wait', reason });
  const pairedRunners = runners.filter(
    ({ id, name, revokedAt }) =>
      revokedAt === null && (runner === null || id === runner || name === runner),
  );
  if (pairedRunners.length === 0) return wait('no-runner');
  const willing = pairedRunners.filter((one) => accepts(one, createdBy));
  if (willing.length === 0) return wait('not-accepted');
  const modern = willing.filter(({ protocol }) => protocol >= OLDEST_PROTOCOL);
  if (modern.length === 0) return wait('runner-too-old');
  const labelledRunners = modern.filter((one) => hasLabels(one, labels));
  if (labelledRunners.length === 0) return wait(`no-label:${findMissingLabel(modern, labels)}`);
  const withExecutor = labelledRunners.filter(
    ({ executors }) => executor === null || executors.includes(executor),
  );
  if (withExecutor.length === 0) return wait(`no-executor:${executor}`);
  const able = withExecutor.filter(({ forges }) => forge === null || forges.includes(forge));
  if (able.length === 0) return wait(`no-forge:${forge}`);
  const open = able.filter(({ id }) => !refusedBy.includes(id));
  if (open.length === 0) return { kind: 'refused' };
  const connectedRunners = open.filter((one) => one.connected);
  if (connectedRunners.length === 0) return wait('no-runner');
  const repository = repoSlug === null ? null : sha256(repoSlug);
  const hasRepository = ({ repositories }: Candidate) =>
    repository !== null && repositories.includes(repository);
  const [best] = connectedRunners
    .filter((one) => one.state === 'running' && countFree(one) > 0)
    .sort(
      (one, other) =>
        Number(hasRepository(other)) - Number(hasRepository(one)) ||
        countFree(other) - countFree(one) ||
        one.lastSentAt - other.lastSentAt ||
        (one.id < other.id ? -1 : 1),
    );
  return best === undefined ? wait('no-slot') : { kind: 'send', runnerId: best.id };
}
