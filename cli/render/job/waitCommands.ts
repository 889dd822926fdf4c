import type { Job } from '../../../src/contract/schema/job/job.ts';

export type CommandLine = readonly [command: string, does: string];

type Waiting = Pick<Job, 'id' | 'parked' | 'prMappings' | 'subRuns'>;

/** Id of the forge whose pull requests svc merges itself. */
const LOCAL = 'local';

/** What ends the wait for one pull request. `namesPr`: the job has several that are open. */
function prCommands(
  job: string,
  { forge, prId, repo, number, url }: Job['prMappings'][number],
  namesPr: boolean,
): CommandLine[] {
  const at = `--job ${job}${namesPr ? ` --pr ${prId}` : ''}`;
  return [
    forge === LOCAL ? [`svc pr merge ${at}`, `merge ${prId}`] : [url, `merge ${prId} there`],
    [
      `svc pr review ${at} --verdict request-changes --body "..."`,
      'send it back with a review; the job continues with it',
    ],
    ...(forge === LOCAL
      ? [
          [
            `svc pr close --repo ${repo} --number ${number}`,
            'close it without a merge; the job is notified',
          ] as const,
        ]
      : []),
  ];
}

const isStopped = ({ status }: Job['subRuns'][number]): boolean =>
  status === 'failed' || status === 'escalated';

/**
 * What ends the wait of a job, beside the commands that every job takes: those for its open pull
 * requests, its model account, or its sub-runs.
 */
export function waitCommands({ id, parked, prMappings, subRuns }: Waiting): CommandLine[] {
  switch (parked?.kind) {
    case 'event': {
      const open = prMappings.filter(({ state }) => state === 'open');
      return open.flatMap((pr) => prCommands(id, pr, open.length > 1));
    }
    case 'quota':
      return parked.pool === undefined
        ? []
        : [[`svc accounts retry ${parked.pool}`, 'try the model account again now']];
    case 'subRuns':
      return [[`svc campaign show --job ${id}`, 'show what each sub-run waits for']];
    case 'halted':
      return subRuns.filter(isStopped).flatMap(({ name }): CommandLine[] => [
        [`svc campaign rerun --job ${id} --child ${name}`, `run ${name} again`],
        [`svc campaign skip --job ${id} --child ${name}`, `continue without ${name}`],
      ]);
    default:
      return [];
  }
}
