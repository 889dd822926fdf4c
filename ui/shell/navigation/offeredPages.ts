import type { RouteName } from '../../../src/contract/routes/addresses.ts';
import { parseRoute, type Route, type TeamPart } from './router.ts';

/** What a page cannot do without; a team that does not have it is not offered the page. */
const NEEDED: Readonly<Partial<Record<Route['page'], RouteName>>> = {
  dispatch: 'createJob',
  plan: 'investigations',
  workflows: 'intelligenceLayers',
  schedules: 'schedules',
  notifications: 'notificationChannels',
  statistics: 'statistics',
  budgets: 'budgets',
  report: 'report',
  guardrails: 'guardrails',
  proposals: 'proposals',
  setup: 'setUp',
  settings: 'config',
  insights: 'searchInsights',
  plugins: 'plugins',
  ratings: 'trackRecord',
  machines: 'machines',
};

/** The same for the pages that only a team has. */
const NEEDED_OF_TEAM: Readonly<Partial<Record<TeamPart, RouteName>>> = { audit: 'audit' };

type Offers = (operation: RouteName) => boolean;

export const isPageOffered = (route: Route, offers: Offers): boolean => {
  const neededRoute = route.page === 'team' ? NEEDED_OF_TEAM[route.part] : NEEDED[route.page];
  return neededRoute === undefined || offers(neededRoute);
};

/** The same of an address such as `#/plan`. */
export const isHashOffered = (hash: string, offers: Offers): boolean =>
  isPageOffered(parseRoute(hash), offers);
