import { SHOWN_TIMES } from '../../base/jobs/schedules.ts';
import { type FieldError, SvcError } from '../../base/errors/errors.ts';
import { listNextCronTimes } from '../../base/system/time/cronTimes.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { ScheduleRule } from '../../contract/schema/runner/schedule.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import { LOCAL_FORGE } from '../../providers/local/describe.ts';
import { openKnownRepo } from '../../providers/local/knownRepos.ts';
import { buildRepoLayer } from '../../workflows/overlay/buildRepoLayer.ts';
import type { Layer } from '../../workflows/overlay/layer.ts';
import { mergeLayers } from '../../workflows/overlay/mergeLayers.ts';
import { openOverlay, type OpenOverlay } from '../../workflows/overlay/openOverlay.ts';
import { readLayer } from '../../workflows/overlay/readLayer.ts';
import { findMissingParams, requireRunnableTable } from '../create/jobChecks.ts';
import { readRepoFiles } from '../workspace/readRepoFiles.ts';
import { describeRefusal } from './describeRefusal.ts';

export interface LintedSchedule
  extends Pick<ScheduleRule, 'name' | 'enabled' | 'cron' | 'timeZone' | 'workflow'> {
  /** The next five times, ISO 8601. */
  next: string[];
  problem: string | null;
  /** What could not be checked without a runner. */
  note: string | null;
}

type LintSettings = Pick<Settings, 'schedules' | 'tenant' | 'baseIntelligence' | 'forges'>;

async function readTeamLayers({ tenant, baseIntelligence }: LintSettings): Promise<Layer[]> {
  const { overlay } = tenant;
  const layers = [await readLayer('base', baseIntelligence)];
  if (overlay.kind === 'localDir') layers.push(await readLayer('tenant', overlay.path));
  return layers;
}

/** Slug of a repository on this disk; null = none is named, or it is at another forge. */
function findLocalSlug(
  { forges }: LintSettings,
  { params: { repoSlug, gitProvider } }: ScheduleRule,
): string | null {
  if (typeof repoSlug !== 'string') return null;
  if (gitProvider === LOCAL_FORGE) return repoSlug;
  const isLocal = gitProvider === undefined && Object.hasOwn(forges.local.repos, repoSlug);
  return isLocal ? repoSlug : null;
}

/** The layer of a repository on this disk. Throws SvcError where it is unknown or cannot be read. */
async function readLocalRepoLayer({ forges }: LintSettings, slug: string): Promise<Layer> {
  const { repository, defaultBranch } = openKnownRepo(forges.local.repos, slug);
  const { commit, ...tree } = await readRepoFiles(repository.path, defaultBranch);
  return buildRepoLayer(tree, `${slug}@${commit}`).layer;
}

function requireRunnableJob(overlay: OpenOverlay, { workflow, params }: ScheduleRule): void {
  requireRunnableTable(overlay, workflow);
  const errors = findMissingParams(overlay, workflow, { ...params });
  if (errors.length > 0)
    throw new SvcError('invalid', `${workflow} requires more params.`, { errors });
}

type LintOutcome = Pick<LintedSchedule, 'problem' | 'note'>;

async function checkRule(
  settings: LintSettings,
  teamLayers: readonly Layer[],
  rule: ScheduleRule,
): Promise<LintOutcome> {
  const { kind } = settings.tenant.overlay;
  const slug = findLocalSlug(settings, rule);
  const isOverlayElsewhere = kind === 'gitRemote' || kind === 'cloudBlob';
  const isRepoElsewhere = slug === null && rule.params.repoSlug !== undefined;
  try {
    const repoLayers = slug === null ? [] : [await readLocalRepoLayer(settings, slug)];
    const overlay = openOverlay(mergeLayers([...teamLayers, ...repoLayers]));
    if (!overlay.has(rule.workflow) && (isOverlayElsewhere || isRepoElsewhere))
      return {
        problem: null,
        note: `${rule.workflow} is not on this machine; a runner looks for it in the repository and the team's overlay.`,
      };
    requireRunnableJob(overlay, rule);
    return { problem: null, note: null };
  } catch (error) {
    if (error instanceof SvcError) return { problem: describeRefusal(error), note: null };
    throw error;
  }
}

/**
 * Workflow and params of each schedule, with the layers that this machine has without a runner: those of svc, of a
 * folder of the team, and of repositories on this disk.
 */
export async function lintSchedules(
  settings: LintSettings,
  now: number,
): Promise<LintedSchedule[]> {
  const rules = settings.schedules ?? [];
  if (rules.length === 0) return [];
  const teamLayers = await readTeamLayers(settings);
  return Promise.all(
    rules.map(async (rule) => {
      const { name, enabled, cron, timeZone, workflow } = rule;
      return {
        name,
        enabled,
        cron,
        timeZone,
        workflow,
        next: listNextCronTimes(rule, now, SHOWN_TIMES).map(toIsoTime),
        ...(await checkRule(settings, teamLayers, rule)),
      };
    }),
  );
}

/** Mistakes of schedules by their place in the configuration, as {@link lintSchedules} finds them. */
export async function findScheduleErrors(
  settings: LintSettings,
  now: number,
): Promise<FieldError[]> {
  const schedules = await lintSchedules(settings, now);
  return schedules.flatMap(({ enabled, problem }, index) =>
    enabled && problem !== null
      ? [{ pointer: `/schedules/${index}/workflow`, message: problem }]
      : [],
  );
}
