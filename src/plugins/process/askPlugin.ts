import { buildAgentNetworkVariables } from '../../base/system/network/variables.ts';
import { type Ending, PluginProcess, type PluginProcessOptions } from './pluginProcess.ts';

interface AskPluginOptions extends PluginProcessOptions {
  /** Longest answer, loading included, ms. */
  answerMs: number;
}

/** Asks a plugin one question in a new process. Never rejects. */
export async function askPlugin({ answerMs, ...options }: AskPluginOptions): Promise<Ending> {
  const { clock, order } = options;
  const plugin = new PluginProcess(options);
  const what = order.task.op === 'healthcheck' ? 'healthcheck() did not end' : 'It did not answer';
  const stop = clock.at(
    clock.now() + answerMs,
    () => void plugin.end(`${what} within ${answerMs / 1000} s.`, 0),
  );
  const ending = await plugin.ending;
  stop();
  return ending;
}

/**
 * Environment of a plugin's process without a session: enough to find programs, its home and the
 * network, but no proxy login.
 */
export const buildPlainEnv = (
  hostEnv: Readonly<Record<string, string | undefined>>,
): Record<string, string> => ({
  ...Object.fromEntries(
    ['PATH', 'HOME', 'LANG', 'TZ'].flatMap((name) =>
      hostEnv[name] ? [[name, hostEnv[name]]] : [],
    ),
  ),
  ...buildAgentNetworkVariables(hostEnv),
});
