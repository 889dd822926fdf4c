import { SvcError } from '../../../base/errors/errors.ts';
import type { SimulationReply } from '../../../contract/schema/workflow/simulation.ts';
import type { ResolvedOverlay } from '../jobOverlays.ts';

/** Name of a script in the places of its mistakes. */
const SCRIPT = 'script';

/**
 * Simulates a job of the workflow, without agents. Throws SvcError `workflow-invalid` if no phase
 * can be read, `invalid` for a script with mistakes.
 */
export async function simulateText(
  { overlay }: ResolvedOverlay,
  path: string,
  text: string,
  script: string,
): Promise<SimulationReply> {
  const { diagnostics, sketch } = overlay.draft(path, text);
  if (!sketch)
    throw new SvcError('workflow-invalid', `${path} has no phase that can be read.`, {
      data: { diagnostics },
    });
  // Loaded here, since nothing else in the runner needs the simulation.
  const [{ simulate }, { parseScript }] = await Promise.all([
    import('../../../workflows/simulation/simulate.ts'),
    import('../../../workflows/simulation/parseScript.ts'),
  ]);
  const steps = script.trim() === '' ? [] : parseScript(script, SCRIPT);
  const simulation = await simulate({ workflow: sketch, workflowPath: path, steps });
  return { ...simulation, broken: diagnostics.some(({ severity }) => severity === 'error') };
}
