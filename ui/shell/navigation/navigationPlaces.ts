import type { IconName } from '../controls/Icon.tsx';
import type { Dashboard } from '../dashboard.ts';
import { isHashOffered } from './offeredPages.ts';
import type { Route, TeamPart } from './router.ts';

export interface NavigationPlace {
  href: string;
  says: string;
  icon: IconName;
  isHere: (route: Route) => boolean;
}

const isOn =
  (page: Route['page']) =>
  (route: Route): boolean =>
    route.page === page;

const NEEDS_YOU: NavigationPlace = {
  href: '#/inbox',
  says: 'Needs you',
  icon: 'inbox',
  isHere: isOn('inbox'),
};
const JOBS: NavigationPlace = {
  href: '#/jobs',
  says: 'Jobs',
  icon: 'list',
  isHere: (route) =>
    (route.page === 'jobs' && route.view === 'list') ||
    route.page === 'job' ||
    route.page === 'compare',
};
const REPORT: NavigationPlace = {
  href: '#/report',
  says: 'Report',
  icon: 'report',
  isHere: isOn('report'),
};

const PLACES: readonly NavigationPlace[] = [
  NEEDS_YOU,
  JOBS,
  {
    href: '#/board',
    says: 'Board',
    icon: 'board',
    isHere: (route) => route.page === 'jobs' && route.view === 'board',
  },
  { href: '#/plan', says: 'Plan', icon: 'chat', isHere: isOn('plan') },
  { href: '#/workflows', says: 'Workflows', icon: 'workflow', isHere: isOn('workflows') },
  { href: '#/schedules', says: 'Schedules', icon: 'clock', isHere: isOn('schedules') },
  { href: '#/statistics', says: 'Statistics', icon: 'statistics', isHere: isOn('statistics') },
  REPORT,
  { href: '#/ratings', says: 'Ratings', icon: 'check', isHere: isOn('ratings') },
  { href: '#/budgets', says: 'Budgets', icon: 'gauge', isHere: isOn('budgets') },
  { href: '#/guardrails', says: 'Guardrails', icon: 'shield', isHere: isOn('guardrails') },
  { href: '#/proposals', says: 'Proposals', icon: 'bulb', isHere: isOn('proposals') },
  { href: '#/insights', says: 'Insights', icon: 'star', isHere: isOn('insights') },
  { href: '#/notifications', says: 'Notifications', icon: 'bell', isHere: isOn('notifications') },
  { href: '#/plugins', says: 'Plugins', icon: 'plug', isHere: isOn('plugins') },
  { href: '#/machines', says: 'System charts', icon: 'machine', isHere: isOn('machines') },
  { href: '#/settings', says: 'Settings', icon: 'sliders', isHere: isOn('settings') },
];

const isOnTeam =
  (part: TeamPart) =>
  (route: Route): boolean =>
    route.page === 'team' && route.part === part;

const AUDIT: NavigationPlace = {
  href: '#/audit',
  says: 'Audit',
  icon: 'file',
  isHere: isOnTeam('audit'),
};

/** What a team has beside them. */
const TEAM_PLACES: readonly NavigationPlace[] = [
  { href: '#/dispatches', says: 'Dispatches', icon: 'send', isHere: isOnTeam('dispatches') },
  { href: '#/versions', says: 'Overlay versions', icon: 'clock', isHere: isOnTeam('versions') },
  { href: '#/runners', says: 'Runners', icon: 'plug', isHere: isOnTeam('runners') },
  { href: '#/members', says: 'Members', icon: 'chat', isHere: isOnTeam('members') },
  AUDIT,
  { href: '#/teams', says: 'Teams', icon: 'sliders', isHere: isOnTeam('teams') },
];

/** The page of the wizard: it has no place of its own beside the others. */
const SETUP: NavigationPlace = {
  href: '#/setup',
  says: 'Setup',
  icon: 'play',
  isHere: isOn('setup'),
};

/** What the bar of a phone has beside *More*: what a person who is called at night wants. */
const PHONE_PLACES: readonly NavigationPlace[] = [
  NEEDS_YOU,
  JOBS,
  REPORT,
  { href: '#/new', says: 'New', icon: 'plus', isHere: isOn('dispatch') },
];

type NavigationScope = Pick<Dashboard, 'team' | 'offers'>;

const pickOffered = (
  places: readonly NavigationPlace[],
  { offers }: NavigationScope,
): readonly NavigationPlace[] => places.filter(({ href }) => isHashOffered(href, offers));

export const listPlaces = (dashboard: NavigationScope): readonly NavigationPlace[] =>
  pickOffered([...PLACES, ...(dashboard.team === null ? [AUDIT] : TEAM_PLACES)], dashboard);

export const listPhonePlaces = (dashboard: NavigationScope): readonly NavigationPlace[] =>
  pickOffered(PHONE_PLACES, dashboard);

/** What *More* has: every page. */
export const listAllPlaces = (dashboard: NavigationScope): readonly NavigationPlace[] => [
  ...listPlaces(dashboard),
  ...pickOffered([SETUP], dashboard),
];
