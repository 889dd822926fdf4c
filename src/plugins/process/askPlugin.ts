import { buildAgentNetworkVariables } from '../../shared/system/network/variables.ts';
import { type Ending, PluginProcess, type PluginProcessOptions } from './pluginProcess.ts';

interface AskPluginOptions extends PluginProcessOptions {
  /** Longest answer, loading included, ms. */
  answerMs: number;
}

/** One question to a plugin, in a process of its own. Never rejects. */
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
 * What a plugin's process sees of the environment when no session is run: enough to find programs,
 * its home and the network. A login of a proxy is not among it.
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
