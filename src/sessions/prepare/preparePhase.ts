import type { JobAnswer, JobPorts } from '../../../machines/index.ts';
import type { EffectOutcome, Port } from '../../kernel/port.ts';
import { toThrownFault } from '../../base/errors/toThrownFault.ts';
import { isLastingError, isRepairable, SvcError } from '../../base/errors/errors.ts';
import { toExecutorId, resolvePhaseModel } from '../../workflows/definition/resolvePhaseModel.ts';
import type { DiskWatch } from '../../jobs/slots/diskWatch.ts';
import type { Sandboxes } from '../../executors/sandbox/sandboxes.ts';
import type { Settings } from '../../contract/schema/runner/settings.ts';
import type { JobOverlays } from '../../jobs/workspace/jobOverlays.ts';
import type { Checkouts, PreparedCheckout } from '../../jobs/workspace/checkouts/checkouts.ts';
import { SetupStopped } from '../../jobs/workspace/checkouts/checkoutScripts.ts';
import { listPhaseServers, formatServersLine } from '../../jobs/workspace/resolvePhaseRules.ts';
import { readJobRepo } from '../../providers/forges.ts';
import { listGapLines } from '../brief/listGapLines.ts';
import { makeWorkplace, type WorkplaceParts } from './makeWorkplace.ts';
import { UnusableWorkflow } from './resolvePhaseOverlay.ts';

const KEPT = 'the current layers are invalid, so the phase uses the layers of the previous phase';

export interface PreparePhaseDeps extends WorkplaceParts {
  settings: Pick<Settings, 'llm' | 'runner'>;
  disk: Pick<DiskWatch, 'check' | 'reason'>;
  sandboxes: Pick<Sandboxes, 'refusal'>;
  overlays: JobOverlays;
  checkouts: Pick<Checkouts, 'forgetSetup' | 'prepare'>;
  /** Epoch ms. */
  now(): number;
}

/**
 * Errors that a person has to repair: content, configuration, unwritable files. `cannot-run` is
 * temporary here: a missing team overlay is fetched again.
 */
const isPrepareErrorForPerson = (error: unknown): error is Error =>
  error instanceof UnusableWorkflow ||
  isRepairable(error) ||
  (isLastingError(error) && error.code !== 'cannot-run') ||
  (error instanceof Error && toThrownFault(error) === 'not-written');

/**
 * `phase.prepare`: creates the job's folder and checkout, resolves the overlay again, writes it to
 * `_intelligence/` and lints the workflow, before any agent of this visit starts. Every part may be
 * repeated.
 */
export const preparePhase = (deps: PreparePhaseDeps): Port<JobPorts['phase.prepare']> => {
  const { settings, disk, sandboxes, workplace, overlays, checkouts, now } = deps;
  const prepare = async (
    jobId: string,
    { visit, phase, workflowPath, params }: JobPorts['phase.prepare'],
    signal: AbortSignal,
  ): Promise<EffectOutcome> => {
    const {
      checkout,
      notes: placeNotes,
      resolved,
      table,
      problem,
    } = await makeWorkplace(deps, {
      jobId,
      workflowPath,
      phase,
      params,
    });
    const definition = table.phases.find(({ name }) => name === phase);
    if (definition && definition.agent !== null) {
      const executor = toExecutorId(resolvePhaseModel(settings.llm, definition).provider);
      const refusal = await sandboxes.refusal(settings.runner, [executor]);
      // Like a service that does not answer: the job waits and tries again.
      if (refusal) throw new SvcError('unreachable', refusal.message);
    }
    const line = (tag: string, text: string) =>
      toRunnerLogFrame(now(), { phase, visit, tag, line: text });
    const repo = readJobRepo(params);
    const hasAgent = definition !== undefined && definition.agent !== null;
    const ready: PreparedCheckout =
      checkout !== null && repo !== null && hasAgent
        ? await checkouts.prepare(
            { jobId, slug: repo.slug, absDir: checkout.absDir, layers: resolved.layers },
            { phase, visit, signal },
          )
        : { rows: [], lines: [], problem: null };
    const { rows } = ready;
    const readyLines = ready.lines.map((text) => line('setup', text));
    if (ready.problem !== null)
      return {
        events: [{ type: 'phase.unprepared', visit, message: ready.problem, diagnostics: [] }],
        rows,
        frames: readyLines,
      };
    overlays.keep({ jobId, visit }, resolved);
    const layers = await workplace.keepLayers(jobId, resolved);
    const answer: JobAnswer = {
      type: 'phase.prepared',
      visit,
      workflow: table,
      overlayHash: resolved.files.hash,
      checkout,
      ...(layers === null ? {} : { layers }),
    };
    const servers = hasAgent ? formatServersLine(listPhaseServers(resolved, definition)) : null;
    const preparationLines = [
      ...(problem === null ? [] : [line('overlay', `${KEPT}: ${problem}`)]),
      ...placeNotes.map((note) => line('workspace', note)),
      ...(servers === null ? [] : [line('mcp', servers)]),
    ];
    const bad = overlays.takeNews(jobId, resolved).map((text) => line('overlay', text));
    // Logged once per job; the same lines before every phase would hide what happens.
    if (visit > 1)
      return { events: [answer], rows, frames: [...bad, ...readyLines, ...preparationLines] };
    const leftOut = resolved.ignored.map(({ path, reason, of = 'the repository' }) =>
      line('trust', `${path} of ${of} is not used: ${reason}`),
    );
    const notes = resolved.mcp.notes.map((note) => line('mcp', note));
    const lacks =
      checkout === null ? [] : listGapLines(await workplace.checkoutGaps(checkout.absDir));
    const gaps = lacks.map((text) => line('workspace', text));
    return {
      events: [answer],
      rows,
      frames: [...bad, ...readyLines, ...leftOut, ...notes, ...preparationLines, ...gaps],
    };
  };

  return async (params, { actorId, signal }) => {
    await disk.check();
    if (disk.reason !== null)
      return { events: [{ type: 'phase.postponed', visit: params.visit, disk: disk.reason }] };
    try {
      return await prepare(actorId, params, signal);
    } catch (error) {
      if (error instanceof SetupStopped) return {};
      if (isPrepareErrorForPerson(error)) {
        return {
          events: [
            {
              type: 'phase.unprepared',
              visit: params.visit,
              message: error.message,
              diagnostics: error instanceof UnusableWorkflow ? error.diagnostics : [],
              retry: true,
            },
          ],
        };
      }
      throw error;
    }
  };
};

const toRunnerLogFrame = (
  at: number,
  logLine: { phase: string; visit: number; tag: string; line: string },
) => ({
  kind: 'log',
  data: { at: new Date(at).toISOString(), from: 'runner', ...logLine },
});
