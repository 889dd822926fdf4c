import { createLazyPart } from '../../shell/signals/lazyPart.ts';
import type { JobTab } from '../../shell/navigation/router.ts';

export const LogTab = createLazyPart(async () => (await import('../log/LogTab.tsx')).LogTab);
export const CampaignTab = createLazyPart(
  async () => (await import('../../campaign/CampaignTab.tsx')).CampaignTab,
);
export const ChangesTab = createLazyPart(
  async () => (await import('../changes/ChangesTab.tsx')).ChangesTab,
);
export const ArtefactsTab = createLazyPart(
  async () => (await import('./ArtefactsTab.tsx')).ArtefactsTab,
);
export const ChartTab = createLazyPart(
  async () => (await import('../../chart/ChartTab.tsx')).ChartTab,
);
export const JournalTab = createLazyPart(
  async () => (await import('../journal/JournalTab.tsx')).JournalTab,
);

/** The parts of a job's page whose files are loaded when they are first shown. */
export const JOB_TAB_PARTS = {
  log: LogTab,
  campaign: CampaignTab,
  changes: ChangesTab,
  artefacts: ArtefactsTab,
  chart: ChartTab,
  journal: JournalTab,
} as const satisfies Partial<Record<JobTab, { isLoaded: () => boolean }>>;
