import type { Executor, ExecutorCapabilities } from '../contract/session/executor.ts';
import { endMarkedProcesses } from '../executors/process/endMarkedProcesses.ts';
import { MARKER_VARIABLE } from '../executors/process/processTable.ts';
import { writeSessionFiles } from '../executors/process/writeSessionFiles.ts';
import type { Clock } from '../base/time/clock.ts';
import { toErrorMessage, SvcError } from '../base/errors/errors.ts';
import { screenSecrets } from '../base/secrets/screenSecrets.ts';
import type { PluginPackage } from './manifest.ts';
import { PluginProcess, type PluginProgram } from './process/pluginProcess.ts';
import { PluginSession } from './process/pluginSession.ts';
import type { Order } from './process/protocol.ts';

/** Wait between SIGTERM and SIGKILL for processes that a session left behind, ms. */
const END_GRACE_MS = 2_000;

const NO_CAPABILITIES: ExecutorCapabilities = {
  steering: false,
  foldMidTurn: false,
  cancelsToolCalls: false,
  resume: false,
  skills: false,
  systemPrompt: false,
};

interface InstalledExecutorOptions {
  id: string;
  clock: Clock;
  program: PluginProgram;
  /** null where its manifest cannot be read. */
  found: PluginPackage | null;
  /** The package; throws if the plugin cannot be used. */
  whole(): PluginPackage;
  /** Data for its process. Throws SvcError for settings that do not fit. */
  order(): Omit<Order, 'task'>;
  screen(text: string): string;
  /** Called when a session ended: null = properly, else what the plugin did wrong. */
  onEnd(fault: string | null): void;
}

/** The executor of an installed plugin; each session gets its own process. */
export function createInstalledExecutor(options: InstalledExecutorOptions): Executor {
  const { id, clock, program, found, whole, order: orderOf, screen, onEnd } = options;
  return {
    id,
    ...(found?.manifest.variants ? { variants: found.manifest.variants } : {}),
    capabilities: found?.manifest.capabilities ?? NO_CAPABILITIES,
    lacks: () => describeInstalledLack(options),
    run: async (request) => {
      if (whole().manifest.kind !== 'executor') {
        throw new SvcError(
          'bad-argument',
          `Phase ${request.phase} asks for ${id}, which is not an executor.`,
        );
      }
      const { onEvent: _, screen: _screen, sandbox: _sandbox, guard: _guard, ...plain } = request;
      const order: Order = { ...orderOf(), task: { op: 'run', request: plain } };
      await writeSessionFiles(request);
      const env = {
        ...request.env,
        SVC_SESSION_DIR: request.sessionDir,
        [MARKER_VARIABLE]: request.marker,
      };
      const screenToken = screenSecrets([request.tools.token]);
      return new PluginSession({
        request,
        clock,
        steering: found?.manifest.capabilities?.steering === true,
        screen: (text) => screen(screenToken(text)),
        start: (onReport) =>
          new PluginProcess({ program, order, env, clock, onReport, cwd: request.cwd }),
        endLeftOvers: () =>
          endMarkedProcesses(clock, (marker) => marker === request.marker, END_GRACE_MS),
        onEnd,
      });
    },
    endOrphans: (markerPrefix) =>
      endMarkedProcesses(clock, (marker) => marker.startsWith(markerPrefix), END_GRACE_MS),
  };
}

/**
 * Problems that can be found without running it: its manifest, its settings, whether it is switched
 * off.
 */
function describeInstalledLack({ id, whole, order }: InstalledExecutorOptions): string | null {
  try {
    if (whole().manifest.kind !== 'executor') return `the plugin ${id} is not an executor`;
    order();
    return null;
  } catch (error) {
    return toErrorMessage(error).replace(/\.$/, '');
  }
}
