import type { Dashboard } from '../dashboard.ts';
import { isHashOffered } from '../navigation/offeredPages.ts';
import { type KeyBinding, SHORTCUTS, TEAM_SHORTCUTS } from './keys.ts';

/** The shortcuts of all pages, without those of pages that there are not. */
export const listShortcuts = ({
  team,
  offers,
}: Pick<Dashboard, 'team' | 'offers'>): readonly KeyBinding[] =>
  (team === null ? SHORTCUTS : [...SHORTCUTS, ...TEAM_SHORTCUTS]).filter(
    ({ does }) => !('go' in does) || isHashOffered(does.go, offers),
  );
