import type { Stake } from '../../../src/contract/schema/runner/uninstall.ts';
import { formatShellCommand } from '../../uninstall/findInstallation.ts';
import type { StartFile } from '../../uninstall/findShellCompletion.ts';
import type { UninstallPlan } from '../../uninstall/buildUninstallPlan.ts';
import { toPrintableLine } from '../text/toPrintable.ts';

const MOST_SHOWN = 20;
/** Of a job's request. */
const MOST_CHARACTERS = 60;

const KINDS: Readonly<Record<Stake['kind'], string>> = {
  job: 'Jobs that have not ended',
  work: 'Work that is not in any branch of its repository',
  unclear: 'May contain work',
  saved: 'Work that svc gc saved in a mirror',
  files: 'Files of your own',
  repository: 'Repositories of the local forge that are in the home',
  unread: 'Cannot be read; contents unknown',
};

const shortenStake = (text: string): string =>
  text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;

function formatStake({ kind, jobId, path, what }: Stake): string {
  if (kind === 'job') return `${jobId}  ${shortenStake(what)}`;
  if (kind === 'work') return `${jobId}: ${what}`;
  // What is wrong with a state begins with its file.
  return what.startsWith(path) ? what : `${path}: ${what}`;
}

/** What would be lost, by its kind; empty = nothing. */
export function formatStakes(stakes: readonly Stake[]): string {
  const kinds = Object.entries(KINDS).flatMap(([kind, title]) => {
    const own = stakes.filter((one) => one.kind === kind);
    if (own.length === 0) return [];
    const lines = own
      .slice(0, MOST_SHOWN)
      .map((one) => `    ${toPrintableLine(formatStake(one))}\n`);
    const more =
      own.length > MOST_SHOWN ? [`    and ${own.length - MOST_SHOWN} more (--json)\n`] : [];
    return [`  ${title} (${own.length}):\n`, ...lines, ...more];
  });
  if (kinds.length === 0) return '';
  const saving =
    'svc backup saves all of it in one file; svc gc --older-than 1s saves the work of ended jobs in their repositories.';
  return ['This would be lost:\n', ...kinds, `${saving}\n`].join('');
}

export const describeStartFile = ({ file, lines }: StartFile): string =>
  lines === null ? file : `line ${lines.join(', ')} of ${file}`;

export const removesNothing = (plan: UninstallPlan): boolean =>
  listUninstallActs(plan).length === 0;

function listUninstallActs(plan: UninstallPlan): string[] {
  const {
    runner,
    silentRunner,
    services,
    completion,
    copies,
    installation,
    stakes,
    home,
    database,
  } = plan;
  return [
    ...(runner === null
      ? []
      : [`stop the runner at ${runner.url} (process ${runner.pid}); its jobs are kept`]),
    ...(silentRunner === null
      ? []
      : [
          `stop the runner (process ${silentRunner}), which does not answer yet; its jobs are kept`,
        ]),
    ...services.map(({ manager, file }) => `remove the service: ${file} (${manager.name})`),
    ...completion.map((file) => `remove completion: ${describeStartFile(file)}`),
    ...(stakes !== null && home !== null && database !== null
      ? [
          `remove the database of the control plane for good, with the accounts, teams and runners in it: ${database.folder}`,
        ]
      : []),
    ...(stakes !== null && home !== null
      ? [
          `remove the home for good, with the history of every job, configuration and tokens: ${home.named}${home.path === home.named ? '' : ` (${home.path})`}`,
        ]
      : copies === null
        ? []
        : [`remove the copies of the program in the home: ${copies}`]),
    ...(installation.command === null
      ? []
      : [`remove the program: ${formatShellCommand(installation.command)}`]),
  ];
}

export function formatUninstallPlan(plan: UninstallPlan): string {
  const { home, homePath, stakes, blocked } = plan;
  const acts = listUninstallActs(plan);
  const actLines = acts.map((act) => `  ${toPrintableLine(act)}\n`);
  return [
    ...(acts.length === 0
      ? ['svc uninstall finds nothing to remove.\n']
      : ['svc uninstall will:\n', ...actLines]),
    home === null
      ? `There is no svc home at ${toPrintableLine(homePath)}.\n`
      : home.begun
        ? `The removal of the home has started and is not finished${stakes === null ? ': --purge finishes it' : '; it continues'}.\n`
        : stakes === null
          ? `The home stays, with every job: ${toPrintableLine(home.named)}\n${formatKeptDatabase(plan)}`
          : formatStakes(stakes),
    formatManualSteps(plan),
    ...(blocked === null ? [] : [`Not possible now. ${toPrintableLine(blocked)}\n`]),
  ].join('');
}

const formatKeptDatabase = ({ database }: UninstallPlan): string =>
  database === null
    ? ''
    : `The database of the control plane stays, with the accounts and teams in it: ${toPrintableLine(database.folder)}\n`;

export function formatManualSteps({
  byHand,
  installation,
}: Pick<UninstallPlan, 'byHand' | 'installation'>): string {
  const all = [...byHand, ...(installation.byHand === '' ? [] : [installation.byHand])];
  if (all.length === 0) return '';
  return `Left to you:\n${all.map((one) => `  ${toPrintableLine(one)}\n`).join('')}`;
}
