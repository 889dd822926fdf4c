import { SHOWN_TIMES } from '../../base/jobs/schedules.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { listNextCronTimes } from '../../base/system/time/cronTimes.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { ScheduleRule } from '../../contract/schema/runner/schedule.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import { mergeLayers } from '../../workflows/overlay/mergeLayers.ts';
import { openOverlay, type OpenOverlay } from '../../workflows/overlay/openOverlay.ts';
import { readLayer } from '../../workflows/overlay/readLayer.ts';
import { findMissingParams, requireRunnableTable } from '../create/jobChecks.ts';
import { describeRefusal } from './describeRefusal.ts';

export interface LintedSchedule
  extends Pick<ScheduleRule, 'name' | 'enabled' | 'cron' | 'timeZone' | 'workflow'> {
  /** The next five times, ISO 8601. */
  next: string[];
  problem: string | null;
  /** What could not be checked without a runner. */
  note: string | null;
}

type LintSettings = Pick<Settings, 'schedules' | 'tenant' | 'baseIntelligence'>;

const readLayersHere = async ({ tenant, baseIntelligence }: LintSettings): Promise<OpenOverlay> => {
  const { overlay } = tenant;
  const layers = [await readLayer('base', baseIntelligence)];
  if (overlay.kind === 'localDir') layers.push(await readLayer('tenant', overlay.path));
  return openOverlay(mergeLayers(layers));
};

function findWorkflowProblem(overlay: OpenOverlay, rule: ScheduleRule): SvcError | null {
  try {
    requireRunnableTable(overlay, rule.workflow);
    const errors = findMissingParams(overlay, rule.workflow, { ...rule.params });
    return errors.length === 0
      ? null
      : new SvcError('invalid', `${rule.workflow} requires more params.`, { errors });
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
}

/** Workflow and params of each schedule, with the layers that this machine has without a runner. */
export async function lintSchedules(
  settings: LintSettings,
  now: number,
): Promise<LintedSchedule[]> {
  const rules = settings.schedules ?? [];
  if (rules.length === 0) return [];
  const overlay = await readLayersHere(settings);
  return rules.map((rule) => {
    const { name, enabled, cron, timeZone, workflow, params } = rule;
    const isElsewhere =
      !overlay.has(workflow) &&
      (params.repoSlug !== undefined || settings.tenant.overlay.kind === 'gitRemote');
    const problem = isElsewhere ? null : findWorkflowProblem(overlay, rule);
    return {
      name,
      enabled,
      cron,
      timeZone,
      workflow,
      next: listNextCronTimes(rule, now, SHOWN_TIMES).map(toIsoTime),
      problem: problem && describeRefusal(problem),
      note: isElsewhere
        ? `${workflow} is not on this machine; a runner looks for it in the repository and the team's overlay.`
        : null,
    };
  });
}
