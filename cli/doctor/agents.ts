import { systemClock } from '../../src/base/time/clock.ts';
import type { Layer } from '../../src/workflows/overlay/layer.ts';
import { mergeLayers } from '../../src/workflows/overlay/mergeLayers.ts';
import { openOverlay } from '../../src/workflows/overlay/openOverlay.ts';
import { readLayer } from '../../src/workflows/overlay/readLayer.ts';
import {
  joinWords,
  findStuckPhases,
  listWantingExecutors,
} from '../../src/workflows/overlay/findStuckPhases.ts';
import { createLackFinder, openBuiltInExecutors } from '../../src/plugins/builtInExecutors.ts';
import { adviseSetUp } from '../../src/plugins/setUp/adviseSetUp.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import { type Finding, toOkFinding, toSkippedFinding, toWarningFinding } from './check.ts';

/** Advice if no agent was found: the way with the least effort. */
const MODEL_SERVER =
  'svc init --base-url <address> --model <model>   # a model server such as Ollama; other agents: svc help init';
const READS_KEY = '   # reads the key from standard input: paste it, then Ctrl-D';

/** Whether the workflows of base and tenant layer could run here; sends no requests. */
export async function checkAgents(
  settings: Settings,
  hostEnv: Readonly<Record<string, string | undefined>>,
): Promise<Finding> {
  const layers: Layer[] = [];
  try {
    layers.push(await readLayer('base', settings.baseIntelligence));
    if (settings.tenant.overlay.kind === 'localDir')
      layers.push(await readLayer('tenant', settings.tenant.overlay.path));
  } catch {
    return toSkippedFinding('the layers cannot be read: see Team overlay');
  }
  const overlay = openOverlay(mergeLayers(layers));
  const executors = await openBuiltInExecutors({ clock: systemClock, settings: settings.plugins });
  const knowledge = { settings, lacks: createLackFinder(() => executors) };
  const { workflows } = overlay.workflows();
  const checkedWorkflows = workflows.map(({ id, workflowPath }) => ({
    id,
    workflowPath,
    stuck: findStuckPhases(knowledge, overlay, workflowPath),
  }));
  const unable = checkedWorkflows.filter(({ stuck }) => stuck.length > 0);
  const [first] = unable;
  if (!first)
    return toOkFinding(
      `every workflow can run (llm.defaultProvider is ${settings.llm.defaultProvider})`,
    );
  const wanting = listWantingExecutors(unable.flatMap(({ stuck }) => stuck));
  const { command, found, typed } = await adviseSetUp(
    { home: settings.home, hostEnv, plugins: settings.plugins },
    { wanting, repo: null },
  );
  const isNothingChosen = wanting.every(({ provider }) => provider === 'command');
  const fix = isNothingChosen && found.length === 0 ? MODEL_SERVER : command;
  const whys = [
    ...new Set(
      unable.flatMap(({ stuck }) =>
        stuck.map(({ provider, why }) => `they use ${provider}, but ${why}`),
      ),
    ),
  ];
  const which =
    unable.length === workflows.length
      ? 'no agent can run'
      : `no agent can run the workflow${unable.length === 1 ? '' : 's'} ${joinWords(unable.map(({ id }) => id))}`;
  const here = found.length === 0 ? '' : ` Found on this machine: ${joinWords(found)}.`;
  return toWarningFinding(
    `${which}: ${whys.join('; ')}.${here}`,
    fix === null
      ? 'Change provider of the phases, or add `command:` to their agents.'
      : `${fix}${typed && fix === command ? READS_KEY : ''}`,
  );
}
