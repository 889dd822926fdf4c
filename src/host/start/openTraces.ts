import { createTraceId } from '../../base/system/ids/traceIds.ts';
import type { JobTrace } from '../../contract/schema/job/job.ts';
import type { OpenStore } from '../../jobs/store/openStore.ts';
import { readOwnHomeId } from '../backup/homeRecord.ts';
import type { RunningRunner } from '../runner/runner.ts';
import type { TraceExporter } from '../traces/traceExporter.ts';
import type { Start } from './startOptions.ts';

/** How long a stop waits for a request that runs, ms. */
const STOP_GRACE_MS = 1_000;

interface OpenTraces {
  /** The trace of a job; undefined = traces are off. */
  findTrace(jobId: string): JobTrace | undefined;
  /** Sends traces whenever the settings name a collector, until the runner is released. */
  begin(runner: Pick<RunningRunner, 'onCommit' | 'writeRows'>): Promise<void>;
}

/** Traces of jobs. Nothing of what sends them is loaded while they are off. */
export function openTraces(start: Start, store: OpenStore): OpenTraces {
  const { settings, clock, log, secrets, hostEnv, releasers } = start;
  let homeId: string | undefined;
  let exporter: TraceExporter | undefined;
  /** Changes of settings in sequence: a start must not overtake a stop. */
  let turn: Promise<unknown> = Promise.resolve();

  const isOn = () => (settings.traces?.endpoint ?? '') !== '';
  const follow = async (runner: Parameters<OpenTraces['begin']>[0]): Promise<void> => {
    const { traces } = settings;
    if (traces === undefined || !isOn()) {
      await exporter?.stop(0);
      exporter = undefined;
      return;
    }
    if (exporter !== undefined) {
      exporter.settingsChanged();
      return;
    }
    homeId ??= await readOwnHomeId(settings.home);
    if (homeId === undefined) return;
    const { TraceExporter: Exporter } = await import('../traces/traceExporter.ts');
    const { postSpans } = await import('../traces/postSpans.ts');
    exporter = new Exporter({
      sources: store,
      writeRows: runner.writeRows,
      onCommit: runner.onCommit,
      clock,
      random: Math.random,
      log,
      homeId,
      version: settings.version,
      post: postSpans,
      settings: () => settings.traces ?? traces,
      env: hostEnv,
      addSecrets: (values) => secrets.add(values),
      screen: secrets.screen,
    });
    exporter.start();
  };

  return {
    findTrace(jobId) {
      if (homeId === undefined || !isOn()) return undefined;
      const id = createTraceId(homeId, jobId);
      const link = settings.traces?.link ?? '';
      return { id, url: link === '' ? null : link.replaceAll('{traceId}', id) };
    },
    async begin(runner) {
      const followInTurn = () => {
        const following = turn.then(() => follow(runner));
        turn = following.catch((err: unknown) =>
          log.error({ err }, 'traces could not be started or stopped'),
        );
        return turn;
      };
      start.settingsListeners.add(() => void followInTurn());
      releasers.add('traces', async () => {
        await turn;
        await exporter?.stop(STOP_GRACE_MS);
      });
      await followInTurn();
    },
  };
}
