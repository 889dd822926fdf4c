import type { RouteName } from '../../../src/contract/routes/addresses.ts';
import { parseRoute, type Route } from './router.ts';

/** What a page cannot do without; a team that does not have it is not offered the page. */
const NEEDED: Readonly<Partial<Record<Route['page'], RouteName>>> = {
  dispatch: 'createJob',
  plan: 'investigations',
  workflows: 'intelligenceLayers',
  schedules: 'schedules',
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

type Offers = (operation: RouteName) => boolean;

export const isPageOffered = ({ page }: Pick<Route, 'page'>, offers: Offers): boolean => {
  const needed = NEEDED[page];
  return needed === undefined || offers(needed);
};

/** The same of an address such as `#/plan`. */
export const isHashOffered = (hash: string, offers: Offers): boolean =>
  isPageOffered(parseRoute(hash), offers);
