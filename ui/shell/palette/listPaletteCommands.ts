import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import type { Dashboard } from '../dashboard.ts';
import { isHashOffered } from '../navigation/offeredPages.ts';
import { formatJobTitle } from '../../jobs/jobText.ts';
import type { PaletteCommand } from './rankCommands.ts';
import { listPageKeys } from '../keys/pageKeys.ts';
import { toRouteHash, JOB_TABS, toJobHash, type Route } from '../navigation/router.ts';
import type { ShellStore, ThemeChoice } from '../shellStore.ts';

export interface RunnableCommand extends PaletteCommand {
  run: () => void;
}

const PAGES: readonly (readonly [title: string, hash: string, keys: string])[] = [
  ['Needs you', '#/inbox', 'g i'],
  ['Jobs', '#/jobs', 'g j'],
  ['Board', '#/board', 'g b'],
  ['New job', '#/new', 'c'],
  ['Plan', '#/plan', 'g p'],
  ['Workflows', '#/workflows', 'g w'],
  ['Statistics', '#/statistics', 'g s'],
  ['Budgets', '#/budgets', 'g u'],
  ['Report', '#/report', 'g r'],
  ['Guardrails', '#/guardrails', 'g g'],
  ['Ratings', '#/ratings', 'g t'],
  ['Proposals', '#/proposals', 'g o'],
  ['Settings', '#/settings', 'g ,'],
  ['Insights', '#/insights', 'g n'],
  ['Plugins', '#/plugins', 'g l'],
  ['System charts', '#/machines', 'g m'],
  ['Audit', '#/audit', 'g y'],
  ['Setup', '#/setup', ''],
];

const TEAM_PAGES: readonly (readonly [title: string, hash: string, keys: string])[] = [
  ['Waiting dispatches', '#/dispatches', 'g d'],
  ['Runners', '#/runners', 'g e'],
  ['Members', '#/members', 'g h'],
  ['Teams', '#/teams', 'g a'],
];

const THEMES: readonly ThemeChoice[] = ['system', 'light', 'dark'];

const createNavigation = (hash: string) => () => {
  location.hash = hash;
};

/** Commands of the palette: those of the open page, then pages, settings and jobs. */
export function listPaletteCommands(options: {
  shell: ShellStore;
  jobs: readonly JobSummary[];
  route: Route;
  of: Pick<Dashboard, 'team' | 'offers'>;
}): RunnableCommand[] {
  const { shell, jobs, route, of } = options;
  const jobId = route.page === 'job' ? route.jobId : null;
  const ofPage = listPageKeys().map(({ keys, says, does }) => ({
    id: `do ${says}`,
    title: says,
    hint: keys.join(' '),
    group: 'Here',
    run: does.do,
  }));
  const ofJob =
    jobId === null
      ? []
      : [
          ...JOB_TABS.filter((tab) => tab !== 'campaign').map((tab) => ({
            id: `tab ${tab}`,
            title: `Show ${tab} of this job`,
            hint: '',
            group: 'This job',
            run: createNavigation(toJobHash(jobId, tab)),
          })),
          ...(of.offers('createJob')
            ? [
                {
                  id: 'again',
                  title: 'Run this job again with changes',
                  hint: '',
                  group: 'This job',
                  run: createNavigation(toRouteHash(['new'], { from: jobId })),
                },
              ]
            : []),
        ];
  const offeredPages = (of.team === null ? PAGES : [...PAGES, ...TEAM_PAGES]).filter(([, hash]) =>
    isHashOffered(hash, of.offers),
  );
  const pages = offeredPages.map(([title, hash, hint]) => ({
    id: hash,
    title,
    hint,
    group: 'Page',
    run: createNavigation(hash),
  }));
  const themes = THEMES.map((theme) => ({
    id: `theme ${theme}`,
    title: `Theme: ${theme}`,
    hint: '',
    group: 'Setting',
    run: () => shell.trigger.themed({ theme }),
  }));
  const help = {
    id: 'help',
    title: 'Shortcuts and settings',
    hint: '?',
    group: 'Setting',
    run: () => shell.trigger.opened({ dialog: 'help' }),
  };
  const stopAll = {
    id: 'stop-all',
    title: 'Stop all jobs',
    hint: '',
    group: 'All jobs',
    run: () => shell.trigger.opened({ dialog: 'stopAll' }),
  };
  const toJobs = jobs.map((job) => ({
    id: job.id,
    title: formatJobTitle(job),
    hint: job.id,
    group: job.status,
    run: createNavigation(toJobHash(job.id)),
  }));
  return [
    ...ofPage,
    ...ofJob,
    ...pages,
    ...themes,
    help,
    ...(of.offers('stopAll') ? [stopAll] : []),
    ...toJobs,
  ];
}
