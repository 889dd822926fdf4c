import type { Machine } from '../../src/contract/schema/workflow/machine.ts';
import { buildLayoutInput } from '../../ui/chart/picture/buildLayoutInput.ts';
import {
  BUNDLE_FROM,
  buildMachineGraph,
  countFarArrows,
} from '../../ui/chart/picture/buildMachineGraph.ts';
import { openLayoutProgram } from './openLayoutProgram.ts';
import { buildDrawing } from '../../ui/chart/picture/drawing.ts';
import { renderPicture } from '../../ui/chart/picture/renderPicture.ts';
import { measureRoughly } from '../../ui/chart/picture/textWidth.ts';

/** A chart as SVG, with the layout of the dashboard; text is measured without a screen. */
export async function renderMachinePicture({ label, definition }: Machine): Promise<string> {
  const bundled = countFarArrows(definition) > BUNDLE_FROM;
  const graph = buildMachineGraph(definition, { allEffects: false, bundled, plain: null });

  const placed = await openLayoutProgram().layout(buildLayoutInput(graph, measureRoughly, 'DOWN'));
  return renderPicture(buildDrawing(graph, placed, measureRoughly), label);
}
